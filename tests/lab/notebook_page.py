"""What a person does in an open notebook of JupyterLab: find a cell, type, run, read."""

from playwright.sync_api import expect


class NotebookPage:
    """The notebook that is open on a page; none of its cells was run before."""

    def __init__(self, page):
        self.page = page
        self.runs = 0

    def open(self, folder, name):
        """Open a notebook from the file browser by two double clicks."""
        self._item(folder).dblclick()
        self._item(name).dblclick()
        expect(self.page.locator(".jp-KernelName")).to_contain_text("Python 3")

    def cell(self, words):
        """Return the code cell in which these words stand."""
        return self.page.locator(".jp-Notebook .jp-CodeCell", has_text=words).first

    def write(self, words, code):
        """Replace what stands in the cell with these words."""
        self._enter(self.cell(words))
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(code)

    def run(self, words):
        """Run the cell with these words; return what it shows once it is done."""
        cell = self.cell(words)
        self._enter(cell)
        self.page.keyboard.press("ControlOrMeta+Enter")
        self.runs += 1
        expect(cell.locator(".jp-InputPrompt")).to_have_text(f"[{self.runs}]:")
        return cell.locator(".jp-OutputArea-output")

    def save(self):
        """Save the notebook and wait until that is done."""
        self.page.keyboard.press("ControlOrMeta+S")
        expect(self.page.locator(".lm-DockPanel .jp-mod-current.jp-mod-dirty")).to_have_count(0)

    def choose(self, menu, words):
        """Choose an entry of a menu."""
        self.page.locator(".lm-MenuBar-item", has_text=menu).first.click()
        self.page.locator(".lm-Menu-item", has_text=words).first.click()

    def _enter(self, cell):
        cell.scroll_into_view_if_needed()
        cell.locator(".cm-content").click()

    def _item(self, name):
        return self.page.locator(".jp-DirListing-item", has_text=name)

// The settings of a flow, with a form to pin those that can be pinned.

/** Whether this page may pin settings. */
const PINS = !document.body.hasAttribute("data-view");

class SettingsTable {
  constructor(flow, announce) {
    Object.assign(this, { flow, announce });
    this.rows = new Map();
    this.main = this.table("Settings that can be pinned");
    this.main.classList.add("pins");
    this.rest = this.table("Other settings");
    this.fold = element("details", "rest", element("summary"), this.rest);
    this.root = element("section", "card", element("h3", "", "Settings"), this.main, this.fold);
    this.root.setAttribute("aria-label", `Settings of ${flow}`);
  }
  table(caption) {
    const table = element("table", "settings", element("caption", "visually-hidden", caption));
    const head = table.createTHead().insertRow();
    for (const text of ["Setting", "Value", "Range", "Reason", "Since", ""]) {
      const cell = element("th", "", text || element("span", "visually-hidden", "Pin"));
      cell.scope = "col";
      head.append(cell);
    }
    table.createTBody();
    return table;
  }
  update(settings) {
    for (const setting of settings) {
      let row = this.rows.get(setting.name);
      if (!row || row.pinnable !== setting.pinnable) {
        row?.root.remove();
        row = this.row(setting);
        this.rows.set(setting.name, row);
        (setting.pinnable ? this.main : this.rest).tBodies[0].append(row.root);
      }
      row.setting = setting;
      setText(row.value, setting.value);
      setText(row.range, setting.range);
      setText(row.reason, setting.reason);
      setText(row.since, since(setting.since));
      setText(row.tag, setting.source);
      row.tag.className = `tag ${setting.source}`;
      mark(row.root, "pinned", setting.pin === "on");
      if (row.unpin) row.unpin.hidden = setting.pin !== "on";
    }
    setText(this.fold.firstChild, `${this.rest.tBodies[0].rows.length} more settings, from the file or default`);
    this.main.hidden = !this.main.tBodies[0].rows.length;
  }
  row(setting) {
    const row = { pinnable: setting.pinnable, setting, value: element("td", "value"), range: element("td", "range"), since: element("td", "since"), tag: element("span", "tag") };
    row.reason = element("span");
    const name = element("th", "", setting.name);
    name.scope = "row";
    const act = element("td", "act");
    if (setting.pinnable && PINS) {
      row.pin = this.button("Pin", `Pin ${setting.name}`, () => this.open(row));
      row.pin.setAttribute("aria-expanded", "false");
      row.unpin = this.button("Unpin", `Unpin ${setting.name}`, () => this.send(row, "DELETE"));
      act.append(row.unpin, " ", row.pin);
    }
    row.root = element("tr", "", name, row.value, row.range, element("td", "reason", row.tag, " ", row.reason), row.since, act);
    row.root.dataset.name = setting.name;
    return row;
  }
  button(text, label, does) {
    const made = element("button", "", text);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.addEventListener("click", does);
    return made;
  }
  /** Opens the form below the row, or closes it. */
  open(row) {
    if (row.form) {
      this.close(row);
      return;
    }
    const input = element("input");
    input.value = row.setting.value.replace(/ (?=[a-z])/, "");
    input.autocomplete = "off";
    input.spellcheck = false;
    row.error = element("p", "wrong");
    row.error.setAttribute("role", "alert");
    const go = element("button", "go", "Pin");
    const form = element("form", "", element("label", "", `Pin ${row.setting.name} to`, input), go, this.button("Cancel", "Cancel", () => this.close(row)), row.error);
    form.addEventListener("submit", event => {
      event.preventDefault();
      this.send(row, "POST", input.value);
    });
    form.addEventListener("keydown", event => { if (event.key === "Escape") this.close(row); });
    const cell = element("td", "", form);
    cell.colSpan = 6;
    row.form = element("tr", "form", cell);
    row.root.after(row.form);
    row.pin.setAttribute("aria-expanded", "true");
    input.select();
    input.focus();
  }
  close(row) {
    row.form?.remove();
    row.form = null;
    row.pin.setAttribute("aria-expanded", "false");
    row.pin.focus();
  }
  async send(row, method, value) {
    const name = row.setting.name;
    const headers = { "Content-Type": "application/json" };
    const body = method === "POST" ? JSON.stringify({ value }) : undefined;
    let answer;
    try {
      const given = await fetch(`settings/${this.flow}/${name}`, { method, headers, body, signal: AbortSignal.timeout(5000) });
      answer = { ok: given.ok, ...(await given.json()) };
    } catch {
      answer = { detail: "no answer; try again" };
    }
    if (!answer.ok) {
      this.refused(row, answer);
      return;
    }
    this.update([answer]);
    this.close(row);
    this.announce(method === "POST" ? `${name} is pinned to ${answer.value}.` : `${name} is unpinned and continues from ${answer.value}.`);
  }
  refused(row, answer) {
    if (!row.form) this.open(row);
    setText(row.error, answer.detail);
  }
}

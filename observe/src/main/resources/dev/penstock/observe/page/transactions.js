// Search among the last failed and slow transactions, and the time line of one.

const MAX_FOUND = 100;
const WAITS = {
  queue_ms: "waited for a permit", store_ms: "asked the key store", retry_ms: "paused before the next attempt",
  key_ms: "waited for another request with the same key", status_ms: "asked for the status of the attempt before",
};
const PARTS = { pool: "for a connection", tls: "TLS", wait: "until the first byte", inside: "in Penstock" };

const outcome = of => (of.exception ? `exception ${of.exception}` : of.ending ?? "answered") + (of.cause ? ` (${of.cause})` : "") + (of.status ? ` with status ${of.status}` : "");

/** Waits end where something else begins. */
const waits = (of, end) => Object.keys(WAITS).filter(name => name in of).map(name => ({ at: end - of[name], ms: of[name], text: WAITS[name] }));

const exchange = one => `${one.address}: ` + Object.entries(one).filter(([, value]) => typeof value === "number").map(([name, value]) => {
  const part = name.replace(/_ms$/, "");
  return part === name ? `${number(value)} bytes ${name}` : `${PARTS[part] ?? part} ${time(value)}`;
}).join(", ");

const attempts = of => (of.attempts ?? []).flatMap((one, i) => [...waits(one, one.at_ms),
  { at: one.at_ms, ms: one.ms, text: `attempt ${i + 1}: ${"ms" in one ? outcome(one) : "had not ended"}`, more: (one.exchanges ?? []).map(exchange) }]);

const steps = record => [...attempts(record),
  ...(record.batches ?? []).flatMap(batch => [{ at: batch.at_ms, text: `sent in batch ${batch.id} of ${number(batch.size)} requests` }, ...attempts(batch)]),
  ...waits(record, record.ms), { at: record.ms, text: `ended: ${outcome(record)}` }];

const timeLine = record => {
  const share = ms => `${Math.min(100, Math.max(0, 100 * ms / (record.ms || 1)))}%`;
  const row = step => {
    const bar = element("i");
    bar.style.marginLeft = share(step.at);
    bar.style.width = share(Math.min(step.ms ?? 0, record.ms - step.at));
    const what = element("span", "", step.text, ...(step.more ?? []).map(text => element("span", "note", text)));
    return [what, time(Math.max(0, step.at)), step.ms === undefined ? "" : time(step.ms), element("div", "span", bar)];
  };
  const table = tableOf("Time line", ["What", "At", "Took", ""], steps(record).map(row));
  table.classList.add("line");
  const names = ["id", "trace", "caller", "key"].filter(name => record[name]).map(name => `${name === "key" ? "hash of the key" : name} ${record[name]}`);
  return element("div", "life", element("p", "note", names.join(", "), "; charts of ", momentOf(record.flow, record.at)), ...(record.reason ? [element("p", "bad-line", record.reason)] : []), table);
};

class TransactionSearch {
  constructor(flows) {
    this.text = element("input");
    this.text.type = "search";
    this.text.spellcheck = false;
    this.text.placeholder = "all";
    this.flow = this.select([["", "any"], ...flows.map(name => [name, name])]);
    this.ending = this.select([["", "any"], ...["unknown", "failed", "rejected", "answered"].map(name => [name, name])]);
    this.since = this.select([["", "any time"], ["10m", "10 min"], ["1h", "1 h"]]);
    this.status = element("p", "note", "The last 1,000 transactions that failed or were slow, and what the stores have about an id or a key.");
    this.status.setAttribute("role", "status");
    this.stored = element("ul", "problems");
    this.list = element("ol", "found");
    const field = (label, input) => element("label", "", label, input);
    const form = element("form", "", field("Id, trace or key", this.text), field("Flow", this.flow), field("Ending", this.ending), field("Since", this.since), element("button", "go", "Search"));
    form.setAttribute("role", "search");
    form.addEventListener("submit", event => {
      event.preventDefault();
      this.search();
    });
    this.root = element("section", "card", element("h3", "", "Find a transaction"), form, this.status, this.stored, this.list);
    this.root.setAttribute("aria-label", "Find a transaction");
  }
  select(options) { return element("select", "", ...options.map(([value, text]) => new Option(text, value))); }
  async search() {
    const asked = new URLSearchParams({ q: this.text.value.trim(), flow: this.flow.value, ending: this.ending.value, since: this.since.value });
    setText(this.status, "searching");
    try {
      const answer = await fetch(`transactions?${asked}`, { signal: AbortSignal.timeout(30000) });
      if (!answer.ok) throw new Error(await answer.text());
      this.show(await answer.json());
    } catch (failed) {
      setText(this.status, `no answer; try again (${failed.message})`);
    }
  }
  show({ on, records, stored }) {
    const many = `${number(records.length)} transaction${records.length === 1 ? "" : "s"}`;
    setText(this.status, !on ? "No records are kept. With transactions: { to: file } in the flow file, failed and slow transactions are found here."
      : records.length > MAX_FOUND ? `${many}; these are the last ${MAX_FOUND}.` : `${many}.`);
    this.stored.replaceChildren(...stored.map(text => element("li", "", text)));
    this.list.replaceChildren(...records.slice(0, MAX_FOUND).map(record => element("li", "", this.one(record))));
  }
  one(record) {
    const all = element("details", "", element("summary", "", timeOf(record.at), " ", element("b", "", record.flow), " ",
      element("span", `tag ${record.ending}`, outcome(record)), ` after ${time(record.ms)}`));
    all.addEventListener("toggle", () => { if (all.open && all.children.length === 1) all.append(timeLine(record)); });
    return all;
  }
}

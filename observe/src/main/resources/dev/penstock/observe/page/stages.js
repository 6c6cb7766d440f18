// The stages of the flow in order, with their current figures.

const NAMES = { flow: "Offered", dedupe: "Dedupe", retry: "Retry", settle: "Settle", collapse: "Collapse", breaker: "Breaker", queue: "Queue", target: "Target" };

/** The figures of a stage: the large one with its unit, and a line below. */
const figures = (stage, load, recent) => {
  const waits = recent?.count ? `p50 ${time(recent.p50_ms)}, p99 ${time(recent.p99_ms)}` : "";
  switch (stage.stage) {
    case "flow": return [number(load?.arrivals_per_second ?? stage.per_second), "/s", [waits, `${number(stage.in_flight)} in flight`]];
    case "retry": return [number(stage.per_second), " retries/s", [stage.note]];
    case "breaker": return [stage.note.split(":")[0], "", [stage.started ? `opened ${number(stage.started)} time${stage.started === 1 ? "" : "s"}` : "never opened"]];
    case "queue": return [number(stage.in_flight), ` of ${number(stage.capacity)} waiting`, [`${rate(stage.per_second)} had to wait`, waits]];
    case "target": return [number(stage.in_flight), stage.capacity ? ` of ${number(stage.capacity)} permits` : " in flight", [`${rate(stage.per_second)} attempts`, waits]];
    case "collapse": return [number(stage.per_second), " batches/s", [`${number(stage.in_flight)} waiting for others`, stage.note]];
    default: return [number(stage.per_second), "/s", [`${number(stage.in_flight)} in progress`, waits]];
  }
};

class StageRow {
  constructor(names) {
    this.key = names.join();
    this.boxes = new Map();
    this.root = element("ol", "stages");
    for (const name of names) {
      const box = { mark: element("span", "mark", "bottleneck"), big: element("p", "big"), unit: element("small"), more: element("p", "more"), bar: element("i") };
      box.figure = document.createTextNode("");
      box.big.append(box.figure, box.unit);
      box.mark.hidden = true;
      box.use = element("div", "use", box.bar);
      box.use.setAttribute("role", "img");
      box.root = element("div", "box", element("h4", "", NAMES[name] ?? name, box.mark), box.big, box.more, element("span", "spring"), box.use);
      this.boxes.set(name, box);
      this.root.append(element("li", "", box.root));
    }
  }
  update(flow) {
    for (const stage of flow.stages) {
      const box = this.boxes.get(stage.stage);
      const load = flow.bottleneck?.stages?.find(one => one.stage === stage.stage);
      const [figure, unit, more] = figures(stage, load, flow.recent[stage.stage]);
      const used = stage.capacity ? stage.in_flight / stage.capacity : load?.utilisation ?? 0;
      if (box.figure.data !== figure) box.figure.data = figure;
      setText(box.unit, unit);
      mark(box.big, "word", stage.stage === "breaker");
      setText(box.more, more.filter(text => text).join(" · "));
      box.use.hidden = !stage.capacity;
      box.bar.style.width = `${Math.min(100, Math.round(100 * used))}%`;
      box.use.setAttribute("aria-label", `${Math.round(100 * used)} % used`);
      const isBottleneck = flow.bottleneck?.stage === stage.stage;
      mark(box.root, "bottleneck", isBottleneck);
      mark(box.root, "cut", stage.stage === "breaker" && figure !== "closed");
      box.mark.hidden = !isBottleneck;
    }
  }
}

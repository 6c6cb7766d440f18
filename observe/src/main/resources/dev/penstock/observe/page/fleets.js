// The limits and rates that gateways share, with the share of each.

const MET_LATELY_MS = 3000;

class FleetTables {
  constructor() {
    this.root = element("div");
    this.cards = new Map();
  }
  update(fleets) {
    for (const fleet of fleets) {
      if (!this.cards.has(fleet.name)) this.cards.set(fleet.name, this.root.appendChild(element("section", "card")));
      this.show(fleet, this.cards.get(fleet.name));
    }
    for (const [name, card] of this.cards) card.hidden = !fleets.some(fleet => fleet.name === name);
  }
  show(fleet, card) {
    const sum = of => fleet.members.reduce((all, member) => all + member[of], 0);
    const met = member => member.met_ms_ago < MET_LATELY_MS ? "now" : `${number(Math.round(member.met_ms_ago / 1000))} s ago`;
    const own = member => (member.name === fleet.member ? " (this one)" : "");
    const members = fleet.members.toSorted((a, b) => a.name.localeCompare(b.name));
    const rows = members.map(member => [member.name + own(member), number(member.holds), number(member.wants), met(member)]);
    const lines = [`${number(sum("holds"))} of ${number(fleet.total)} are given out, ${number(sum("wants"))} could be used. This gateway has ${number(fleet.share)}: ${fleet.reason}.`];
    const text = JSON.stringify([rows, lines]);
    if (card.dataset.text === text) return;
    card.dataset.text = text;
    const table = tableOf(`Gateways of fleet ${fleet.name}`, ["gateway", "share", "could use", "met the others"], rows);
    members.forEach((member, i) => mark(table.tBodies[0].rows[i], "bad", member.met_ms_ago >= MET_LATELY_MS));
    card.replaceChildren(element("h3", "", `Fleet ${fleet.name}`), element("p", fleet.outage ? "bad-line" : "note", ...lines), element("div", "wide", table));
  }
}

// What is right on one chip and not on another.

function portabilityView(report) {
  const parts = report.portability.flatMap((each) => packPortability(report, each));
  return [h("h1", {}, "Portability"), parts.length ? parts : quiet("Two chips at least must have judged the same kernels. Here they have not.")];
}

function packPortability(report, {pack: title, suite, seeds, portability}) {
  const row = [counted(portability.kernels, "kernel"), number(amount(portability.somewhere)), share(portability.everywhere)];
  return [section(report.packs.length > 1 ? `Pack ${title}, suite ${suite}` : "Everywhere and somewhere", seeds > 1 && quiet("The runs had different seeds: the same cases with different numbers."),
    table(["Judged on every chip", {text: "Right somewhere", number: true}, "Of these, right everywhere"], [row], {label: "Right everywhere"})),
  section(`Pairs of chips${report.packs.length > 1 ? `, ${title}` : ""}`, pairTable(report, portability.pairs),
    quiet("p: how likely a difference this large is where the chips are alike, by McNemar's exact test on the kernels that only one of the two gets right. A small p with many pairs is less surprising than it looks."))];
}

function pairTable(report, pairs) {
  const label = (id) => report.chips.find((chip) => chip.device === id || `${chip.device} ${chip.run}` === id)?.label ?? id;
  const head = ["First", "Second", ...["Both right", "Only first", "Only second", "Neither", "p"].map((text) => ({text, number: true}))];
  const rows = pairs.map((pair) => {
    const shared = pair.both + pair.only_first + pair.only_second + pair.neither;
    if (!shared) return [label(pair.first), label(pair.second), h("td", {colspan: 5, class: "quiet"}, "no kernel was judged on both")];
    return [label(pair.first), label(pair.second), ...[pair.both, pair.only_first, pair.only_second, pair.neither].map((count) => number(amount(count))),
      number(`${significant(pair.p_value)}${pair.p_value < 0.05 ? " *" : ""}`)];
  });
  return table(head, rows, {label: "Each pair"});
}

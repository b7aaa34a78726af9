// One chip: what it is, what ran on it, who vouches for its plugin, whose tolerance was used.

function chipsView(report) {
  const rows = report.chips.map((chip) => [h("a", {href: `#/chip/${chip.id}`}, chip.label), chip.device, chip.run, conformanceText(chip), chip.finished ? "finished" : "interrupted"]);
  return [h("h1", {}, "Chips and runs"), table(["Chip", "Device", "Run", "Conformance", "State"], rows, {label: "Chips"})];
}

function chipView(report, id) {
  const place = report.chips.findIndex((chip) => chip.id === id);
  if (place < 0) return absent("chip", id);
  const chip = report.chips[place];
  return [
    crumbs(h("a", {href: "#/chips"}, "Chips")), h("h1", {}, chip.label), chip.synthetic && h("p", {class: "notice"}, "Synthetic: nothing was measured."),
    h("p", {}, h("a", {href: `#/matrix?chip=${chip.id}`}, "Its operators")),
    section("Device and run", facts(chip.facts)), section("Software", chip.versions.length ? facts(chip.versions) : quiet("The run says nothing.")),
    section("What it can't do for anyone", restrictions(chip)), section("Conformance of its plugin", conformance(chip)),
    section("Tolerances other than the core's", overrides(chip)), section("Verdicts", chipTaxonomy(chip)),
  ];
}

function restrictions(chip) {
  if (!chip.restrictions.length) return quiet("Its backend names no restriction.");
  return table(["Feature", "Support", "Reason"], chip.restrictions.map((each) => [each.name, each.support, each.reason]), {label: "Restrictions"});
}

function conformanceText(chip) {
  if (!chip.conformance) return "the run says nothing";
  const tiers = (chip.conformance.tiers ?? []).join(", ");
  return chip.conformance.state + (tiers ? ` (${tiers})` : "");
}

function conformance(chip) {
  const rules = chip.rules.map((rule) => [h("span", {class: "code"}, rule.rule), rule.tier, rule.outcome, rule.reason ?? ""]);
  return [h("p", {}, conformanceText(chip)), rules.length ? table(["Rule that did not pass", "Tier", "Outcome", "Reason"], rules, {label: "Conformance rules"}) : null];
}


function overrides(chip) {
  if (!chip.overrides.length) return quiet("None: every case was judged by the core's own rules.");
  const lines = chip.overrides.map((each) => [operatorLink(each.operator), each.source, each.reason || h("span", {class: "quiet"}, "no reason given"), number(`${each.passed}/${each.cases}`),
    number(each.nearest === null ? "" : `${significant(each.nearest)} of the bound`)]);
  return [table(["Operator", "Whose", "Reason", {text: "Passed", number: true}, {text: "Nearest pass", number: true}], lines, {label: "Tolerances"}),
    quiet("Nearest pass: the largest share of the bound that a passed case needed. Near 1 the tolerance decided.")];
}

function chipTaxonomy(chip) {
  return table(["Verdict", {text: "Cases", number: true}, {text: "Kernels", number: true}], chip.taxonomy.map((each) => [verdictTag(each.verdict), number(amount(each.cases)), number(amount(each.kernels))]), {label: "Its verdicts"});
}

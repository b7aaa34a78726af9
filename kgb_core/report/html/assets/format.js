// Numbers as a person reads them. A value that is not a finite number is shown as it was stored.

const UNKNOWN = "not measured";

function significant(value, digits = 3) {
  if (typeof value !== "number" || !Number.isFinite(value)) return String(value);
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(digits - 1);
  return Number(value.toPrecision(digits)).toString();
}

function times(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "number" ? `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)}×` : `${value}×`;
}

function percent(share) {
  return share === null || share === undefined ? "" : `${(100 * share).toFixed(1)} %`;
}

function between(interval, format) {
  return interval ? `${format(interval.low)} to ${format(interval.high)}` : "";
}

function duration(nanoseconds) {
  if (typeof nanoseconds !== "number") return String(nanoseconds ?? "");
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const [size, unit] = units.find(([least]) => nanoseconds >= least) ?? units[3];
  return `${significant(nanoseconds / size)} ${unit}`;
}

function amount(value) {
  return typeof value === "number" ? value.toLocaleString("en", {maximumFractionDigits: 2}) : "";
}

function counted(count, singular, plural) {
  return `${amount(count)} ${count === 1 ? singular : plural ?? `${singular}s`}`;
}

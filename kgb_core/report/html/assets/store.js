// Data of the page: compressed blobs, each unpacked once, when it is first wanted.

const unpacked = new Map();

function blob(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(document.getElementById(`blob-${name}`)));
  return unpacked.get(name);
}

async function unpack(element) {
  const binary = atob(element.textContent);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place += 1) bytes[place] = binary.charCodeAt(place);
  element.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

async function record(name) {
  return JSON.parse(await blob(name));
}

// Reads a recording with Foxglove's own TypeScript reader (npm @mcap/core, protobufjs), as
// Foxglove does: by the index at the file's end, checksums checked, messages decoded by the
// schemas in the file. `make foreign` installs both and runs this; its output is JSON.
import fs from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

const handle = await fs.open(process.argv[2], "r");
const { size } = await handle.stat();
const readable = {
  size: async () => BigInt(size),
  read: async (offset, length) => {
    const data = new Uint8Array(Number(length));
    await handle.read(data, 0, data.length, Number(offset));
    return data;
  },
};
const decompressHandlers = await loadDecompressHandlers();
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });

const types = new Map();
for (const [id, schema] of reader.schemasById) {
  const set = descriptor.FileDescriptorSet.decode(schema.data);
  types.set(id, protobuf.Root.fromDescriptor(set).lookupType(schema.name));
}
const out = { topics: {}, attachments: {}, metadata: {}, first: {}, last: {} };
for await (const message of reader.readMessages()) {
  const channel = reader.channelsById.get(message.channelId);
  const decoded = types.get(channel.schemaId).decode(message.data);
  out.topics[channel.topic] = (out.topics[channel.topic] ?? 0) + 1;
  const plain = decoded.toJSON();
  out.first[channel.topic] ??= plain;
  out.last[channel.topic] = plain;
}
for await (const a of reader.readAttachments()) {
  out.attachments[a.name] = a.data.length;
  if (a.name === "setup.json") JSON.parse(new TextDecoder().decode(a.data));
  // RFC 8878, 3.1.1: a frame of zstd begins with these bytes.
  else if (a.name.endsWith(".zst") && Buffer.from(a.data.subarray(0, 4)).toString("hex") !== "28b52ffd") throw new Error(`${a.name} is not packed with zstd`);
}
for await (const m of reader.readMetadata()) out.metadata[m.name] = Object.fromEntries(m.metadata);

// The same once more as a stream, which checks every checksum.
const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
stream.append(await fs.readFile(process.argv[2]));
out.streamed = 0;
for (let r; (r = stream.nextRecord()); ) if (r.type === "Message") out.streamed++;
if (!stream.done()) throw new Error("the stream does not end");
const total = Object.values(out.topics).reduce((a, b) => a + b, 0);
if (out.streamed !== total) throw new Error(`the index leads to ${total} messages, the stream has ${out.streamed}`);
const ticks = Number(out.last["/fieldbrain/tick"].heard.tick) + 1;
if (out.topics["/fieldbrain/tick"] !== ticks) throw new Error(`${out.topics["/fieldbrain/tick"]} ticks, the last is number ${ticks - 1}`);
const frozen = Object.keys(out.attachments).filter((name) => /^frozen-[0-9]+\.fieldbrain\.zst$/.test(name));
if (frozen.length !== Math.floor((ticks * 0.005) / 60)) throw new Error(`${frozen.length} frozen brains among ${Object.keys(out.attachments)}`);
delete out.first;
console.log(JSON.stringify(out, null, 1));
await handle.close();

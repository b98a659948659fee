import { deflateRawSync } from 'node:zlib';

export function zip(content: Buffer): Buffer {
  const data = deflateRawSync(content);
  const name = Buffer.from('trace.txt');
  const sizes = (at: number, header: Buffer) => {
    header.writeUInt16LE(8, at);
    header.writeUInt32LE(data.length, at + 10);
    header.writeUInt32LE(content.length, at + 14);
    header.writeUInt16LE(name.length, at + 18);
  };
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 'latin1');
  sizes(8, local);
  const entry = Buffer.alloc(46);
  entry.write('PK\x01\x02', 'latin1');
  sizes(10, entry);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  return Buffer.concat([local, name, data, entry, name, end]);
}

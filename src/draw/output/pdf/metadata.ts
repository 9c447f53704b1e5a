// Writes what a file says of itself as XMP (ISO 16684-1): the same as its information dictionary, and what it conforms to.
//
// PDF/A up to part 3 wants each schema that XMP does not have to be described within the file (ISO 19005-3, 6.6.2.3).

import type { DocumentProperties } from '#core/template/document-properties.ts';
import { escapeXml } from '#draw/images/xml.ts';
import type { Conformance } from './conformance.ts';

/** A schema of its own, with its properties. */
interface Schema {
  readonly title: string;
  readonly uri: string;
  readonly prefix: string;
  readonly properties: readonly {
    readonly name: string;
    readonly type: 'Text' | 'Integer';
    readonly category: 'internal' | 'external';
    readonly description: string;
  }[];
}

const ACCESSIBLE: Schema = {
  title: 'PDF/UA Universal Accessibility Schema',
  uri: 'http://www.aiim.org/pdfua/ns/id/',
  prefix: 'pdfuaid',
  properties: [{ name: 'part', type: 'Integer', category: 'internal', description: 'Part of ISO 14289' }],
};
const INVOICE: Schema = {
  title: 'Factur-X PDFA Extension Schema',
  uri: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  prefix: 'fx',
  properties: [
    ['DocumentFileName', 'Name of the embedded XML invoice file'],
    ['DocumentType', 'Type of the hybrid document'],
    ['Version', 'Version of the XML schema of the invoice'],
    ['ConformanceLevel', 'Conformance level of the embedded invoice'],
  ].map(([name = '', description = '']) => ({ name, type: 'Text', category: 'external', description })),
};

/** What the metadata say of an e-invoice. */
export interface InvoiceMetadata {
  readonly fileName: string;
  readonly version: string;
  readonly level: string;
}

/** The metadata packet, UTF-8. */
export function metadataPacket(
  properties: DocumentProperties,
  createdAt: Date,
  { archive, accessible }: Conformance,
  invoice: InvoiceMetadata | null,
): Uint8Array {
  const { title, author, subject, keywords = [] } = properties;
  const date = `${createdAt.toISOString().slice(0, 19)}Z`;
  const schemas = [...(accessible ? [ACCESSIBLE] : []), ...(invoice ? [INVOICE] : [])];
  const inDefault = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`;
  const lines = [
    element('dc:format', 'application/pdf'),
    title !== undefined && `<dc:title>${inDefault(title)}</dc:title>`,
    author !== undefined && `<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>`,
    subject !== undefined && `<dc:description>${inDefault(subject)}</dc:description>`,
    keywords.length > 0 && element('pdf:Keywords', keywords.join(', ')),
    element('pdf:Producer', 'Platen'),
    element('xmp:CreatorTool', 'Platen'),
    element('xmp:CreateDate', date),
    archive && element('pdfaid:part', archive.part),
    archive && archive.level !== '' && element('pdfaid:conformance', archive.level.toUpperCase()),
    archive?.part === 4 && element('pdfaid:rev', 2020),
    accessible && element('pdfuaid:part', accessible.part),
    accessible?.part === 2 && element('pdfuaid:rev', 2024),
    invoice && element('fx:DocumentType', 'INVOICE'),
    invoice && element('fx:DocumentFileName', invoice.fileName),
    invoice && element('fx:Version', invoice.version),
    invoice && element('fx:ConformanceLevel', invoice.level),
  ].filter((line) => typeof line === 'string');
  const namespaces = [
    ['dc', 'http://purl.org/dc/elements/1.1/'],
    ['pdf', 'http://ns.adobe.com/pdf/1.3/'],
    ['xmp', 'http://ns.adobe.com/xap/1.0/'],
    ['pdfaid', 'http://www.aiim.org/pdfa/ns/id/'],
    ...schemas.map(({ prefix, uri }) => [prefix, uri]),
  ].map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return new TextEncoder().encode(`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${archive && archive.part < 4 && schemas.length > 0 ? described(schemas) : ''}<rdf:Description rdf:about=""${namespaces.join('')}>
${lines.join('\n')}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`);
}

const element = (name: string, value: string | number): string => `<${name}>${escapeXml(String(value))}</${name}>`;

function described(schemas: readonly Schema[]): string {
  const list = schemas.map(({ title, uri, prefix, properties }) => {
    const own = properties.map(
      ({ name, type, category, description }) =>
        `<rdf:li rdf:parseType="Resource">${element('pdfaProperty:name', name)}${element('pdfaProperty:valueType', type)}${element('pdfaProperty:category', category)}${element('pdfaProperty:description', description)}</rdf:li>`,
    );
    return `<rdf:li rdf:parseType="Resource">${element('pdfaSchema:schema', title)}${element('pdfaSchema:namespaceURI', uri)}${element('pdfaSchema:prefix', prefix)}<pdfaSchema:property><rdf:Seq>${own.join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`;
  });
  // Some readers take it up only if it stands by itself, before what it describes.
  return `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag>${list.join('')}</rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`;
}

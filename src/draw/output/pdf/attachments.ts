// Attaches files to a PDF (ISO 32000-2, 7.11.4 and 14.13), among them the XML of an e-invoice (Factur-X 1.08, 6).

import { AppError } from '#base/errors.ts';
import { bytesOfBase64, bytesOfLatin1 } from '#base/runtime.ts';
import { addDecimals, parseDecimal } from '#core/decimal.ts';
import type { Attachment, DocumentProperties, Invoice } from '#core/template/document-properties.ts';
import { parseXml, type XmlElement } from '#draw/images/xml.ts';
import { dateText, textString } from './document-entries.ts';
import type { InvoiceMetadata } from './metadata.ts';
import type { Dictionary, PdfReference } from './object.ts';

interface Writer {
  object(data: Dictionary, stream?: Uint8Array | string): PdfReference;
}

interface File extends Omit<Attachment, 'data'> {
  readonly bytes: Uint8Array;
}

type Attached = Pick<DocumentProperties, 'attachments' | 'invoice'>;

/** The files of a document, in the order of their names. @throws AppError for two of one name */
export function attachedFiles({ attachments = [], invoice }: Attached): readonly File[] {
  const files = attachments.map(({ data, ...rest }): File => ({ ...rest, bytes: bytesOfBase64(data) }));
  if (invoice) {
    const { fileName, relationship } = PROFILES[invoice.profile];
    const bytes = new TextEncoder().encode(invoice.xml);
    files.push({
      name: fileName,
      mime: 'text/xml',
      bytes,
      relationship,
      description: 'The invoice, to be read by machines',
    });
  }
  const names = new Set(files.map(({ name }) => name));
  if (names.size < files.length) {
    throw new AppError('invalid_request', 'pdf.attachments: two files have one name; give each its own.');
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes the files. @returns the entries of the catalogue; none without files */
export function writeAttachments(writer: Writer, files: readonly File[], createdAt: Date): Dictionary {
  if (files.length === 0) return {};
  const specifications = files.map(({ name, mime, bytes, description, relationship }) => {
    const file = writer.object(
      {
        Type: 'EmbeddedFile',
        Subtype: nameOf(mime),
        Params: { Size: bytes.length, ModDate: bytesOfLatin1(dateText(createdAt)) },
      },
      bytes,
    );
    return writer.object({
      Type: 'Filespec',
      F: textString(name),
      UF: textString(name),
      Desc: textString(description ?? name),
      AFRelationship: relationship,
      EF: { F: file, UF: file },
    });
  });
  const names = files.flatMap(({ name }, i) => [textString(name), specifications[i] as PdfReference]);
  return { AF: specifications, Names: { EmbeddedFiles: writer.object({ Names: names }) } };
}

/** As a name (7.3.5). */
const nameOf = (text: string): string =>
  text.replace(/[^\w.+-]/g, (letter) => `#${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);

// Checks the XML of an e-invoice: that it is one, of the profile that is said, and that its totals are those of the document.

interface Profile extends InvoiceMetadata {
  readonly relationship: Attachment['relationship'];
  /** What its guideline (BT-24) begins with. */
  readonly guideline: string;
}

const facturX = (
  level: string,
  guideline: string,
  relationship: Attachment['relationship'] = 'Alternative',
): Profile => ({
  ...{ level, guideline, relationship, fileName: 'factur-x.xml', version: '1.0' },
});

const PROFILES: Readonly<Record<Invoice['profile'], Profile>> = {
  MINIMUM: facturX('MINIMUM', 'urn:factur-x.eu:1p0:minimum', 'Data'),
  'BASIC WL': facturX('BASIC WL', 'urn:factur-x.eu:1p0:basicwl', 'Data'),
  BASIC: facturX('BASIC', 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic'),
  'EN 16931': facturX('EN 16931', 'urn:cen.eu:en16931:2017'),
  EXTENDED: facturX('EXTENDED', 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended'),
  XRECHNUNG: {
    ...facturX('XRECHNUNG', 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_'),
    ...{ fileName: 'xrechnung.xml', version: '3.0' },
  },
};

const LIMITS = { elements: 100_000, depth: 40 };
const INVOICE_NAMESPACE = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';

const refuse = (problem: string, cause?: unknown): never => {
  throw new AppError('invalid_request', `pdf.invoice.xml ${problem}.`, { cause });
};

/** @throws AppError `invalid_request` for what is no such invoice. @returns what the metadata say of it */
export function checkedInvoice({ xml, profile }: Invoice): {
  readonly metadata: InvoiceMetadata;
  readonly root: XmlElement;
} {
  // XML is read as it is written: no entities, no other bytes than the characters that were checked.
  if (/<!DOCTYPE/i.test(xml)) refuse('has a document type; leave out <!DOCTYPE …>');
  const [, encoding = 'UTF-8'] = /^\ufeff?<\?xml [^>]*encoding=["']([\w-]+)["']/.exec(xml.slice(0, 200)) ?? [];
  if (!/^utf-8$/i.test(encoding)) refuse(`says that its encoding is ${encoding}; it is attached as UTF-8`);
  let root: XmlElement;
  try {
    root = parseXml(xml, LIMITS);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(error.message.replace(/^The SVG file |\.$/g, ''), error);
  }
  if (root.name !== 'CrossIndustryInvoice' || root.namespace !== INVOICE_NAMESPACE) {
    refuse('must be a CrossIndustryInvoice (CII, UN/CEFACT D16B or later)');
  }
  const { guideline, ...metadata } = PROFILES[profile];
  const own = textAt(root, ['ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter', 'ID']);
  const isOfProfile = profile === 'XRECHNUNG' ? own?.startsWith(guideline) : own === guideline;
  if (!isOfProfile) refuse(`is of the guideline "${own ?? ''}", and the profile ${profile} is "${guideline}"`);
  return { metadata, root };
}

/** A total as the document shows it. */
export interface ShownTotal {
  /** The element of the invoice that has it. */
  readonly total: string;
  readonly table: string;
  readonly text: string;
}

/** @throws AppError `invalid_request` naming both, where the document shows another total than the invoice has */
export function checkTotals(root: XmlElement, shown: readonly ShownTotal[]): void {
  const sums = ['SupplyChainTradeTransaction', 'ApplicableHeaderTradeSettlement'];
  const summation = elementAt(root, [...sums, 'SpecifiedTradeSettlementHeaderMonetarySummation']);
  for (const { total, table, text } of shown) {
    const own = summation && textAt(summation, [total]);
    if (!own) refuse(`has no ${total}, which the table ${JSON.stringify(table)} shows as ${JSON.stringify(text)}`);
    else if (!isSameAmount(own, text)) {
      refuse(`has the ${total} ${own}, and the table ${JSON.stringify(table)} shows ${JSON.stringify(text)}`);
    }
  }
}

/** Whether a formatted amount is the same number, whatever its language separates digits with. */
function isSameAmount(amount: string, shown: string): boolean {
  const digits = shown
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, valueOfDigit)
    .replace(/[^\d.,٫]/g, '');
  const isNegative = /[-−(]/.test(shown.normalize('NFKC'));
  const [, decimals = ''] = /[.,٫](\d{1,4})$/.exec(digits) ?? [];
  const all = digits.replace(/\D/g, '');
  // The last separator may be that of thousands.
  return [decimals.length, 0].some((count) => {
    const value = `${all.slice(0, all.length - count)}.${all.slice(all.length - count)}`;
    return all !== '' && isEqualDecimal(amount, `${isNegative ? '-' : ''}${value}`);
  });
}

/** Digits of all scripts stand ten in a row (Unicode, 4.6). */
function valueOfDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

function isEqualDecimal(a: string, b: string): boolean {
  const [one, other] = [parseDecimal(a.trim()), parseDecimal(b)];
  return one !== null && other !== null && addDecimals(one, { ...other, digits: -other.digits }).digits === 0n;
}

function elementAt(root: XmlElement, path: readonly string[]): XmlElement | null {
  let element: XmlElement | undefined = root;
  for (const name of path) {
    element = element?.children.find((each): each is XmlElement => typeof each !== 'string' && each.name === name);
  }
  return element ?? null;
}

const textAt = (root: XmlElement, path: readonly string[]): string | null =>
  elementAt(root, path)
    ?.children.filter((each) => typeof each === 'string')
    .join('')
    .trim() ?? null;

// Fields for the files that a PDF carries, in a template or in one download: the XML of an e-invoice, and attachments.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Attachment, Invoice } from '#core/template/document-properties.ts';
import { profileOf } from '../shell/drawn-file.ts';
import { bytes } from '../shell/format.ts';
import { texts } from '../texts/shell.ts';
import { useAction } from './action.ts';
import { FileButton, IconButton } from './button.tsx';
import { Problem, SelectField } from './field.tsx';
import { trash2, upload } from './icons.ts';

/** As `pdf` of a template or of a request has them. */
export interface PdfFiles {
  readonly invoice?: Invoice;
  readonly attachments?: readonly Attachment[];
}

const PROFILES = [
  'MINIMUM',
  'BASIC WL',
  'BASIC',
  'EN 16931',
  'EXTENDED',
  'XRECHNUNG',
] as const satisfies readonly Invoice['profile'][];
const RELATIONSHIPS = [
  'Unspecified',
  'Source',
  'Data',
  'Alternative',
  'Supplement',
] as const satisfies readonly Attachment['relationship'][];
/** Bytes, as the server takes them. */
const MOST = { invoice: 1_000_000, attachment: 3_000_000, files: 20 };

/** The XML of a file, byte for byte: a mark of its encoding stays. @throws Error with a sentence */
async function invoiceOf(file: File): Promise<Invoice> {
  if (file.size > MOST.invoice) throw new Error(texts.value.parts.tooLarge(file.name, bytes(MOST.invoice)));
  let xml: string;
  try {
    xml = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(texts.value.parts.notUtf8(file.name));
  }
  return { xml, profile: profileOf(xml) };
}

/** @throws Error with a sentence */
async function attachmentOf(file: File): Promise<Attachment> {
  if (file.size > MOST.attachment) throw new Error(texts.value.parts.tooLarge(file.name, bytes(MOST.attachment)));
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  const data = address.slice(address.indexOf(',') + 1);
  return { name: file.name, mime: file.type || 'application/octet-stream', data, relationship: 'Unspecified' };
}

interface PdfFilesProps {
  readonly files: PdfFiles;
  /** Gets what changes; undefined = removed. */
  readonly onChange: (patch: {
    readonly invoice?: Invoice | undefined;
    readonly attachments?: PdfFiles['attachments'] | undefined;
  }) => void;
}

export function PdfFilesFields(props: PdfFilesProps) {
  const words = texts.value.parts;
  const { invoice, attachments = [] } = props.files;
  const { error, run } = useAction();
  // A file takes a while to be read, and others may have been chosen meanwhile.
  const latest = useRef(props);
  latest.current = props;
  const onChange = (patch: PdfFiles | { readonly [name in keyof PdfFiles]: undefined }) => {
    const { invoice: xml, attachments: list } = { ...latest.current.files, ...patch };
    latest.current = { ...latest.current, files: { ...(xml && { invoice: xml }), ...(list && { attachments: list }) } };
    latest.current.onChange({ invoice: xml, attachments: list });
  };
  const set = (next: readonly Attachment[]) => onChange({ attachments: next.length > 0 ? next : undefined });
  return (
    <div class="pdf-files">
      {invoice ? (
        <FileLine name={words.invoice} size={invoice.xml.length} onRemove={() => onChange({ invoice: undefined })}>
          <SelectField
            label={words.profile}
            dense
            value={invoice.profile}
            onChoose={(profile) => onChange({ invoice: { ...invoice, profile: profile as Invoice['profile'] } })}
            options={PROFILES.map((value) => ({ value, label: value }))}
          />
        </FileLine>
      ) : (
        <FileButton
          dense
          icon={upload}
          accept=".xml,text/xml,application/xml"
          onFile={(file) => void run(async () => onChange({ invoice: await invoiceOf(file) }))}
        >
          {words.addInvoice}
        </FileButton>
      )}
      {attachments.map((file, i) => (
        <FileLine
          key={file.name}
          name={file.name}
          size={(file.data.length * 3) / 4}
          onRemove={() => set(attachments.toSpliced(i, 1))}
        >
          <SelectField
            label={words.relationship}
            dense
            value={file.relationship ?? 'Unspecified'}
            onChoose={(to) => set(attachments.with(i, { ...file, relationship: to as Attachment['relationship'] }))}
            options={RELATIONSHIPS.map((value) => ({ value, label: words.relationships[value] }))}
          />
        </FileLine>
      ))}
      {attachments.length < MOST.files && (
        <FileButton
          dense
          icon={upload}
          onFile={(file) =>
            void run(async () => {
              const attached = await attachmentOf(file);
              const others = latest.current.files.attachments?.filter(({ name }) => name !== file.name);
              set([...(others ?? []), attached]);
            })
          }
        >
          {words.attach}
        </FileButton>
      )}
      <Problem of={error?.message} />
    </div>
  );
}

interface FileLineProps {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly onRemove: () => void;
  readonly children: ComponentChildren;
}

function FileLine({ name, size, onRemove, children }: FileLineProps) {
  return (
    <div class="pdf-file" role="group" aria-label={name}>
      <div class="pdf-file-head">
        <span class="truncate" title={name}>
          {name}
        </span>
        <span class="faint">{bytes(size)}</span>
        <IconButton icon={trash2} dense label={texts.value.parts.removeFile(name)} onClick={onRemove} />
      </div>
      {children}
    </div>
  );
}

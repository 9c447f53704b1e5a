// The schemas of the contract, written by `npm run docs`. Do not edit.

/** The job was accepted and is durable. */
export type Accepted = {
  /** Poll it at /v1/renders/{id}. */
  readonly id: string;
  readonly status: "queued";
  /** The name of a size; `default` is its own canvas. */
  readonly size?: string;
  /** BCP 47; the language of the texts, if the template has it. */
  readonly lang?: string;
  /** In place of the template’s brand: `acme`, or `acme@2`. */
  readonly brand?: string;
  /** As given with the request; absent otherwise. */
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>>;
};

/** One job; or one for each of several sizes, languages or brands. */
export type AcceptedAnswer = Accepted | {
  readonly results: readonly Accepted[];
  readonly count: number;
  readonly ok: number;
};

export type Account = {
  readonly plan: string;
  readonly email: string | null;
  readonly display_name: string | null;
};

export type AuditAction = "account.create" | "account.change" | "account.set-plan" | "account.suspend" | "account.resume" | "account.export" | "account.delete" | "key.create" | "key.revoke" | "secret.show" | "secret.rotate" | "secret.retire" | "invitation.create" | "invitation.withdraw" | "member.join" | "member.change-role" | "member.remove" | "template.create" | "template.save" | "template.publish" | "template.restore" | "template.delete" | "template.undelete" | "template.move" | "template.rename" | "template.update-material" | "review.create" | "review.end" | "review.delete-comment" | "brand.save" | "brand.delete" | "embedding.change" | "embedding.revoke" | "person.create" | "person.change" | "person.verify" | "person.lock-out" | "person.sign-in" | "person.refuse-sign-in" | "person.link" | "person.change-password" | "person.add-passkey" | "person.remove-passkey" | "person.suspend" | "person.resume" | "person.export" | "person.delete";

/** Who did it. */
export type AuditActor = {
  readonly kind: "person" | "key" | "command-line" | "server" | "embedded-editor";
  /** Of a person or an API key. */
  readonly id: string | null;
  /** The name at that time; of a key without a name, its last characters. */
  readonly name: string | null;
};

export type AuditList = {
  readonly entries: readonly ({
    /** A number in digits, which rises from entry to entry. */
    readonly id: string;
    readonly actor: AuditActor;
    readonly action: AuditAction;
    /** What was changed, with its name at that time. */
    readonly subject: {
      readonly id: string | null;
      readonly name: string | null;
    };
    /** The role, the plan, the kind of the key, or the version. */
    readonly detail: string | null;
    /** The X-Request-ID of the request that did it. */
    readonly request_id: string | null;
    readonly created_at: string;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type BarcodeLayer = LayerProperties & {
  readonly type: "barcode";
  /** Default: 200. */
  readonly width?: Dimension;
  /** Default: 80. */
  readonly height?: Dimension;
  /** Read instead of its value. Default: null. */
  readonly alt?: string | null;
  /** Default: "0". */
  readonly value?: string;
  /** Instead of `value`: texts and values, one after the other; setting `value` removes them. Numbers are written with a point, as machines read them: [{"text": "EUR"}, {"name": "total"}]. Default: null. */
  readonly spans?: readonly ValueSpan[] | null;
  /** Default: "code128". */
  readonly format?: "code128" | "code39" | "ean13" | "ean8" | "upca" | "upce" | "itf14" | "gs1-128" | "datamatrix" | "gs1-qr" | "pdf417" | "azteccode";
  /** Default: "#000000". */
  readonly color?: Fill;
  /** Default: "#ffffff". */
  readonly background?: Fill | null;
  /** Modules of margin; null = what the symbology asks for. Default: null. */
  readonly quietZone?: number | null;
  /** Prints the value under the bars, with its check digit; digits of EAN and UPC where GS1 places them. Default: false. */
  readonly showText?: boolean;
};

/** A batch that ends in one file. */
export type Batch = {
  /** Poll it at /v1/batches/{id}. */
  readonly id: string;
  readonly template: string;
  readonly name: string | null;
  readonly merge: "zip" | "pdf";
  /** Number of files; an item with several sizes has several. */
  readonly count: number;
  readonly done: number;
  /** Finished items that have warnings. */
  readonly warned: number;
  readonly failed: number;
  /** The first 50, by their place from 0 up. */
  readonly errors: readonly ({
    readonly item: number;
    readonly error: string;
  })[];
  /** Needs the key; null until every item has finished. */
  readonly file: string | null;
  readonly created_at: string;
};

/** Renders of any templates, or items of one template; at most 50. */
export type BatchRequest = {
  readonly renders: readonly RenderItem[];
} | {
  /** A template’s id, or id@3 for a version; or a template itself (see the schema Template), which is then not stored. Required, here or as templateId. */
  readonly template?: string | Readonly<Record<string, unknown>>;
  /** Another name for template. */
  readonly templateId?: string;
  /** Of every item that has none of its own. */
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>> | null;
  /** A size of the template, several, or `all`. Several give a file each. */
  readonly size?: string | readonly string[];
  /** The language of its texts (BCP 47), several, or `all`. */
  readonly lang?: string | readonly string[];
  /** A brand in place of the template’s own, or several. */
  readonly brand?: string | readonly string[];
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
  readonly items: readonly ({
    /** Layer name → value. A string sets the layer’s text, image source, value or fill; an object is merged into it; a list of such objects repeats a frame’s children. */
    readonly modifications?: Readonly<Record<string, unknown>>;
    /** Default: "png". */
    readonly output?: "png" | "jpeg" | "webp" | "avif" | "pdf";
    /** A size of the template, several, or `all`. Several give a file each. */
    readonly size?: string | readonly string[];
    /** The language of its texts (BCP 47), several, or `all`. */
    readonly lang?: string | readonly string[];
    /** A brand in place of the template’s own, or several. */
    readonly brand?: string | readonly string[];
    readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>> | null;
  } | Readonly<Record<string, unknown>>)[];
};

/** One entry per item: its asset, or its error. */
export type BatchResult = {
  /** In the order of the items. */
  readonly results: readonly (RenderResult & {
    /** Warnings about the render: at most 20 sentences and 2 KiB; omitted when there are none. */
    readonly warnings?: readonly string[];
  } | {
    readonly error: string;
    /** The name of a size; `default` is its own canvas. */
    readonly size?: string;
    /** BCP 47; the language of the texts, if the template has it. */
    readonly lang?: string;
    /** In place of the template’s brand: `acme`, or `acme@2`. */
    readonly brand?: string;
    /** As given with the request; absent otherwise. */
    readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>>;
  })[];
  /** Number of items. */
  readonly count: number;
  /** Items that succeeded. */
  readonly ok: number;
};

export type Blur = number | string;

export type Border = {
  readonly width: LineWidth;
  /** Any CSS colour. */
  readonly color: string;
  /** Default: "solid". */
  readonly style?: "solid" | "dashed" | "dotted";
};

export type BrandList = {
  readonly brands: readonly ({
    readonly name: string;
    readonly version: number;
    readonly updated_at: string;
  })[];
  /** Send it as `after` to get the next page; absent on the last one. */
  readonly next?: string;
};

/** All of it; what is left out is empty. */
export type BrandRequest = {
  /** CSS colours and gradients: {"primary": "#1d4ed8"}. Default: {}. */
  readonly colors?: Readonly<Record<string, Fill>>;
  /** Properties of texts: {"headline": {"fontFamily": "$display", "fontSize": 64}}. Default: {}. */
  readonly textStyles?: Readonly<Record<string, TextStyle>>;
  /** Families: {"display": "Bricolage Grotesque"}. Default: {}. */
  readonly fonts?: Readonly<Record<string, string | readonly string[]>>;
  /** Sources of pictures: {"logo": "img_…"}. Default: {}. */
  readonly images?: Readonly<Record<string, string>>;
  /** Lengths and other numbers: {"radius": 12}. Default: {}. */
  readonly numbers?: Readonly<Record<string, Coordinate>>;
};

/** The value of the cell is shown as a QR code or a barcode. */
export type CellCode = {
  /** Default: "qr". */
  readonly format?: "qr" | "code128" | "code39" | "ean13" | "ean8" | "upca" | "upce" | "itf14" | "gs1-128" | "datamatrix" | "gs1-qr" | "pdf417" | "azteccode";
  /** Default: 64. */
  readonly width?: Length;
  /** Default: 64. */
  readonly height?: Length;
  /** Default: "#000000". */
  readonly color?: Fill;
  /** Default: null. */
  readonly background?: Fill | null;
  /** Of a QR code. Default: "M". */
  readonly errorCorrection?: "L" | "M" | "Q" | "H";
  /** Default: null. */
  readonly quietZone?: number | null;
  /** Prints the value under the bars. Default: false. */
  readonly showText?: boolean;
};

/** The value of the cell is the `src` of a picture, as of an image layer. */
export type CellImage = {
  /** px; null = by the proportions, or as the cell. Default: null. */
  readonly width?: Length | null;
  /** px; null = by the picture’s proportions. Default: null. */
  readonly height?: Length | null;
  /** Default: "contain". */
  readonly fit?: "cover" | "contain" | "fill" | "none" | "scale-down";
  /** Default: 0. */
  readonly borderRadius?: CornerRadii;
  /** Left out, with a warning, when it cannot be loaded. Default: false. */
  readonly optional?: boolean;
};

/** A run of text in a cell: {"name": "item", "fontWeight": 700}. */
export type CellSpan = TextStyle & {
  /** Default: "". */
  readonly text?: string;
  /** Shows the value that the request, or another layer, has by this name; `text` stands where there is none. */
  readonly name?: string;
  /** How the value is written. */
  readonly format?: "number" | "currency" | "percent" | "date" | "list" | NumberFormat | CurrencyFormat | PercentFormat | UnitFormat | DateFormat | ListFormat | PluralFormat | null;
  readonly calculate?: {
    /** What is added up: a name, or several. */
    readonly sum: string | number | readonly (string | number)[];
    /** What is taken off. */
    readonly less?: string | number | readonly (string | number)[];
    /** What the sum is multiplied by, such as a rate. */
    readonly times?: string | number | readonly (string | number)[];
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    readonly average: string;
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    readonly multiply: readonly (string | number)[];
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    /** What is added up from the first entry to this one. */
    readonly running: string | number | readonly (string | number)[];
    /** What is taken off. */
    readonly less?: string | number | readonly (string | number)[];
    /** What is there before the first entry. */
    readonly start?: string | number;
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | "count";
  /** A picture instead of `text`; the value of `name` is its `src`. */
  readonly image?: {
    /** Default: "". */
    readonly src?: string;
    /** Default: null. */
    readonly fallback?: string | null;
    /** Left out, with a warning, when it cannot be loaded. Default: false. */
    readonly optional?: boolean;
    /** What it shows, for who does not see it: readers of a PDF speak it. "" = it is decoration; null = it is not said, which UA-1 and UA-2 refuse for pictures and charts. Default: null. */
    readonly alt?: string | null;
    /** px; null = by the picture’s proportions. Default: null. */
    readonly width?: Length | null;
    /** px; null = by the picture’s proportions, or else as high as the font size. Default: null. */
    readonly height?: Length | null;
    /** CSS vertical-align. Default: "baseline". */
    readonly verticalAlign?: "baseline" | "middle";
  } | null;
  readonly link?: string | {
    readonly name: string;
  } | null;
};

/** What is left out is as it is for the column, or the whole table. */
export type CellStyle = TextStyle & {
  /** decimal: the decimal signs of a column are below each other, at its end. */
  readonly align?: "start" | "end" | "left" | "right" | "center" | "justify" | "decimal";
  readonly verticalAlign?: "top" | "middle" | "bottom";
  readonly padding?: EdgeLengths;
  readonly background?: Fill | null;
  readonly direction?: "auto" | "ltr" | "rtl";
  readonly hyphens?: "none" | "manual" | "auto";
  readonly lineBreak?: "auto" | "loose" | "normal" | "strict";
  readonly maxLines?: number | null;
  readonly overflow?: "visible" | "clip" | "ellipsis";
  /** CSS overflow-wrap. A share is as narrow as its longest word, unless the table would then be wider than its place, or it is `anywhere`. A number is never broken. */
  readonly overflowWrap?: "normal" | "break-word" | "anywhere";
  readonly textWrap?: "wrap" | "balance" | "pretty";
  readonly wordBreak?: "normal" | "break-all" | "keep-all";
  /** Borders of cells collapse with those of their neighbours and of the table, as CSS `border-collapse` does. */
  readonly border?: Border | null;
  /** Instead of `border` on this side; null = none. */
  readonly borderTop?: Border | null;
  readonly borderRight?: Border | null;
  readonly borderBottom?: Border | null;
  readonly borderLeft?: Border | null;
};

export type ChartEntry = number | null | {
  /** Default: "". */
  readonly label?: string;
  readonly value: number | null | readonly (number | null)[];
  /** Of this bar or slice, instead of one of `colors`. */
  readonly color?: string;
};

/** A chart of a list of values. */
export type ChartLayer = LayerProperties & {
  readonly type: "chart";
  /** Default: 320. */
  readonly width?: Dimension;
  /** Default: 200. */
  readonly height?: Dimension;
  /** What it shows, for who does not see it: readers of a PDF speak it. "" = it is decoration; null = it is not said, which UA-1 and UA-2 refuse for pictures and charts. Default: null. */
  readonly alt?: string | null;
  /** sparkline: a line without axes. progress: a bar that fills up to `max`, or a ring with `innerRadius`. stars: as many as `max`, filled up to the value. Default: "bar". */
  readonly chart?: "bar" | "line" | "area" | "pie" | "sparkline" | "progress" | "stars";
  /** The values: [3, 5, 8], "3, 5, 8", or [{"label": "May", "value": 12}]; with several series, `value` is a list. null = a gap. Default: []. */
  readonly data?: number | null | string | readonly ChartEntry[];
  /** The rows of a table instead of `data`, unless a request gives `data`. Default: null. */
  readonly from?: {
    /** The name of a table. */
    readonly table: string;
    /** The value of its entries that names them. Default: null. */
    readonly label?: string | null;
    /** The values of its entries, or what its cells calculate by a name: one, or one for each series. */
    readonly values: string | readonly string[];
  } | null;
  /** Of entries without a label of their own, so that callers need only send numbers. Default: []. */
  readonly labels?: readonly string[];
  /** The names of the series, for the legend. Default: []. */
  readonly series?: readonly string[];
  /** Of the series, or of the slices of a pie, in turn. Default: ["#2563eb","#14b8a6","#f59e0b","#e11d48","#8b5cf6","#64748b"]. */
  readonly colors?: readonly string[];
  /** Adds the series of bars and areas up. Default: false. */
  readonly stacked?: boolean;
  /** Bars from left to right. Default: false. */
  readonly horizontal?: boolean;
  /** Curves, which stay between the values. Default: false. */
  readonly smooth?: boolean;
  /** A dot at each value of a line. Default: false. */
  readonly dots?: boolean;
  /** Labels and numbers beside the chart. Default: true. */
  readonly axes?: boolean;
  /** Lines behind it. Default: true. */
  readonly grid?: boolean;
  /** The names of series; for a pie, of its slices. Default: true. */
  readonly legend?: boolean;
  /** Writes the values of a pie in its legend, where thin slices have them, too. Default: false. */
  readonly legendValues?: boolean;
  /** Writes the values beside bars, dots and slices. Default: false. */
  readonly showValues?: boolean;
  /** How numbers are written: `currency`, `percent`, or an object. Those that leave the chart no room are short: 1.2M. Default: null. */
  readonly format?: "number" | "currency" | "percent" | "date" | "list" | NumberFormat | CurrencyFormat | PercentFormat | UnitFormat | DateFormat | ListFormat | PluralFormat | null;
  /** rtl: entries run from the right, numbers stand there; null = as the frame around it, else as the language of the template. Default: null. */
  readonly direction?: "ltr" | "rtl" | null;
  /** Where the scale begins; null = at 0, or near the least value of a line. Default: null. */
  readonly min?: number | null;
  /** Where it ends; null = above the highest. progress: 100. stars: 5. Default: null. */
  readonly max?: number | null;
  /** Between bars, as a share of the room of each. Default: 0.35. */
  readonly gap?: number;
  /** Of the ends of bars. Default: 4. */
  readonly borderRadius?: Length;
  /** The hole of a pie, as a share of its radius. Default: 0. */
  readonly innerRadius?: number;
  /** Of lines. Default: 2.5. */
  readonly strokeWidth?: LineWidth;
  /** Behind bars, a progress and stars; null = faint, and none behind bars. Default: null. */
  readonly track?: string | null;
  /** Of labels; lines behind the chart are fainter. Default: "#475569". */
  readonly color?: string;
  /** Default: "Inter". */
  readonly fontFamily?: string | readonly string[];
  /** Default: 12. */
  readonly fontSize?: FontSize;
  /** Default: 400. */
  readonly fontWeight?: number;
};

/** Px or `8mm`, % of the table, `hug`: as its cells need, or a share of what is left, `2fr`; `fill` is `1fr`. */
export type ColumnWidth = number | string;

/** The body that is posted to a webhookUrl when its job or batch has finished. */
export type CompletionEvent = {
  readonly id: string;
  readonly status: "done" | "error";
  readonly result: RenderResult | null;
  readonly error: string | null;
  /** As given with the request; absent otherwise. */
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>>;
  /** Warnings about the render: at most 20 sentences and 2 KiB; omitted when there are none. */
  readonly warnings?: readonly string[];
  /** Of a batch that is over: what GET /v1/batches/{id} shows. */
  readonly batch?: Batch;
};

export type ComponentLayer = LayerProperties & {
  readonly type: "template";
  /** The id of a template of layers; without a version, the newest when this one is saved. */
  readonly template: string;
  /** One of its sizes; else its own canvas. */
  readonly size?: string;
  /** Its layers follow, as at a size; hug = as it is. Default: "hug". */
  readonly width?: number | string | "hug";
  /** Default: "hug". */
  readonly height?: number | string | "hug";
  /** What is different here, by the names of its layers. Default: {}. */
  readonly modifications?: Readonly<Record<string, unknown>>;
};

/** Which sides keep their distance when the studio resizes the canvas or the frame around it. Of a layer that a layout places, nothing. */
export type Constraints = {
  /** Default: "left". */
  readonly horizontal?: "left" | "right" | "left-right" | "center" | "scale";
  /** Default: "top". */
  readonly vertical?: "top" | "bottom" | "top-bottom" | "center" | "scale";
};

/** CSS display: contents. The frame has no box; its children are laid out as if they stood in its place in the frame around it. */
export type ContentsLayout = {
  readonly type: "contents";
};

export type Coordinate = number | string;

export type CornerRadii = Length | readonly [Length, Length, Length, Length];

/** 1234.5 → €1,234.50 */
export type CurrencyFormat = {
  readonly type: "currency";
  /** Default: null. */
  readonly minimumFractionDigits?: number | null;
  /** Rounded half away from zero; null = as is usual. Default: null. */
  readonly maximumFractionDigits?: number | null;
  /** Default: true. */
  readonly useGrouping?: boolean;
  /** Default: "auto". */
  readonly signDisplay?: "auto" | "always" | "exceptZero" | "negative" | "never";
  /** null = the `currency` of the template. Default: null. */
  readonly currency?: string | null;
  /** Default: "symbol". */
  readonly currencyDisplay?: "symbol" | "narrowSymbol" | "code" | "name";
  /** Default: "standard". */
  readonly currencySign?: "standard" | "accounting";
};

/** 2026-01-31 → Jan 31, 2026. With `weekday`, `year`, `month` or `day`, these parts alone: {"month": "long", "year": "numeric"} → January 2026. */
export type DateFormat = {
  readonly type: "date";
  /** Default: "medium". */
  readonly dateStyle?: "full" | "long" | "medium" | "short" | null;
  /** Default: null. */
  readonly timeStyle?: "full" | "long" | "medium" | "short" | null;
  readonly weekday?: "long" | "short" | "narrow";
  readonly year?: "numeric" | "2-digit";
  readonly month?: "numeric" | "2-digit" | "long" | "short" | "narrow";
  readonly day?: "numeric" | "2-digit";
  /** Where a moment such as 2026-01-31T12:00:00Z is shown; a time without a zone stays as it is. Default: "UTC". */
  readonly timeZone?: string;
};

/** Px, a percentage, `hug`: as large as the content, or `fill`: what the frame has left. CSS’s words: `min-content`, `max-content`, and `fit-content`, which is `hug` that is never stretched. */
export type Dimension = Length | string | "hug" | "fill" | "min-content" | "max-content" | "fit-content";

export type EdgeLengths = Coordinate | readonly [Coordinate, Coordinate, Coordinate, Coordinate];

export type EditorTokenRevocation = {
  /** The user, as in `sub`; everybody by default. */
  readonly user?: string;
  /** Only tokens that were issued before this time; now by default. */
  readonly before?: string;
};

/** One sentence that says what was wrong and how to correct it. */
export type Error = {
  readonly error: string;
};

export type Fill = string | Gradient;

export type Filters = {
  /** Default: 1. */
  readonly brightness?: number;
  /** Default: 1. */
  readonly contrast?: number;
  /** Default: 1. */
  readonly saturate?: number;
  /** Default: 0. */
  readonly grayscale?: number;
  /** Default: 0. */
  readonly sepia?: number;
  /** Degrees. Default: 0. */
  readonly hueRotate?: number;
  /** Default: 0. */
  readonly invert?: number;
  /** The colours that black and white become; what lies between is mixed by lightness. Default: null. */
  readonly duotone?: readonly [string, string] | null;
  /** Standard deviation, px. Default: 0. */
  readonly blur?: Blur;
};

/** CSS flexbox: flex-direction, flex-wrap, gap, justify-content, align-items, align-content. */
export type FlexLayout = {
  /** Default: "flex". */
  readonly type?: "flex";
  /** Default: "column". */
  readonly direction?: "row" | "column" | "row-reverse" | "column-reverse";
  /** Default: "nowrap". */
  readonly wrap?: "nowrap" | "wrap" | "wrap-reverse";
  /** Default: 0. */
  readonly gap?: Length | string | readonly [Length | string, Length | string];
  /** Default: "start". */
  readonly justify?: "start" | "center" | "end" | "safe center" | "safe end" | "space-between" | "space-around" | "space-evenly";
  /** Default: "stretch". */
  readonly align?: "start" | "center" | "end" | "safe center" | "safe end" | "stretch" | "baseline";
  /** Default: "start". */
  readonly alignContent?: "start" | "center" | "end" | "safe center" | "safe end" | "stretch" | "space-between" | "space-around" | "space-evenly";
};

export type Font = {
  readonly id: string;
  /** Use it as fontFamily in the account’s templates. */
  readonly family: string;
  readonly weight: number;
  readonly style: "normal" | "italic";
  /** By tag; empty for a static font. */
  readonly axes: Readonly<Record<string, {
    readonly min: number;
    readonly max: number;
  }>>;
};

export type FontList = {
  readonly fonts: readonly Font[];
};

export type FontSize = number | string;

export type FrameLayer = LayerProperties & {
  readonly type: "frame";
  /** Default: "hug". */
  readonly width?: Dimension;
  /** Default: "hug". */
  readonly height?: Dimension;
  /** null = children are placed by their x and y, and an unsized frame fills its parent. Default: null. */
  readonly layout?: FlexLayout | GridLayout | ContentsLayout | null;
  /** CSS: rtl starts rows at the right and aligns columns there; null = as the frame around it. Default: null. */
  readonly direction?: "ltr" | "rtl" | null;
  /** Default: 0. */
  readonly padding?: Padding;
  /** Shows the children once for each entry of a list: {"lines": [{"item": "Hinge"}]}, where each entry modifies them by name. Needs a layout. Default: false. */
  readonly repeat?: boolean | RepeatOptions;
  /** Disappears when everything in it is hidden or left out. Default: false. */
  readonly hideWhenEmpty?: boolean;
  /** Cuts children at the (rounded) padding box. Default: false. */
  readonly clip?: boolean;
  /** Default: null. */
  readonly background?: Fill | null;
  /** Default: null. */
  readonly border?: Border | null;
  /** Instead of `border` on this side; null = as it. Default: null. */
  readonly borderTop?: Border | null;
  /** Default: null. */
  readonly borderRight?: Border | null;
  /** Default: null. */
  readonly borderBottom?: Border | null;
  /** Default: null. */
  readonly borderLeft?: Border | null;
  /** Default: 0. */
  readonly borderRadius?: CornerRadii;
  /** box: `shadow` is CSS box-shadow, of the box. drop: CSS drop-shadow, of all that the frame paints; shadows with `inset` stay those of the box, and `spread` counts for nothing. Default: "box". */
  readonly shadowType?: "box" | "drop";
  /** Goes on over the pages of a document, within their margins. For one frame with a column layout, not in another; without `page`, it is a frame as any other. Default: false. */
  readonly flow?: boolean;
  /** CSS: whether a frame that a page cuts has its border, padding and corners at the cut, too. Default: "slice". */
  readonly boxDecorationBreak?: "slice" | "clone";
  /** Default: []. */
  readonly children?: readonly Layer[];
};

/** A CSS gradient over the box of the layer. */
export type Gradient = {
  readonly type: "linear";
  /** CSS degrees: 0 up, 90 right, 180 down. Default: 180. */
  readonly angle?: number;
  readonly stops: readonly ({
    /** Any CSS colour. */
    readonly color: string;
    /** 0 to 1; spread evenly where absent, as in CSS. */
    readonly offset?: number;
    /** CSS’s colour hint: where, on the way to the next stop, both colours are mixed equally; as `offset`. */
    readonly hint?: number;
  })[];
  /** CSS `in oklch`: the colour space in which the stops are mixed. Default: "srgb". */
  readonly colorSpace?: "srgb" | "srgb-linear" | "oklab" | "oklch" | "hsl";
  /** The way round the circle of hues, in oklch and hsl. Default: "shorter". */
  readonly hue?: "shorter" | "longer" | "increasing" | "decreasing";
} | {
  readonly type: "radial";
  /** Default: "ellipse". */
  readonly shape?: "ellipse" | "circle";
  /** 0 to 1 of the box on each axis. Default: {"x":0.5,"y":0.5}. */
  readonly center?: {
    readonly x: number;
    readonly y: number;
  };
  /** The 100 % radius as a fraction of half the box (of its longer side for a circle); null = farthest corner. Default: null. */
  readonly radius?: number | null;
  readonly stops: readonly ({
    /** Any CSS colour. */
    readonly color: string;
    /** 0 to 1; spread evenly where absent, as in CSS. */
    readonly offset?: number;
    /** CSS’s colour hint: where, on the way to the next stop, both colours are mixed equally; as `offset`. */
    readonly hint?: number;
  })[];
  /** CSS `in oklch`: the colour space in which the stops are mixed. Default: "srgb". */
  readonly colorSpace?: "srgb" | "srgb-linear" | "oklab" | "oklch" | "hsl";
  /** The way round the circle of hues, in oklch and hsl. Default: "shorter". */
  readonly hue?: "shorter" | "longer" | "increasing" | "decreasing";
} | {
  readonly type: "conic";
  /** Where the first stop lies, CSS degrees. Default: 0. */
  readonly angle?: number;
  /** Default: {"x":0.5,"y":0.5}. */
  readonly center?: {
    readonly x: number;
    readonly y: number;
  };
  readonly stops: readonly ({
    /** Any CSS colour. */
    readonly color: string;
    /** 0 to 1; spread evenly where absent, as in CSS. */
    readonly offset?: number;
    /** CSS’s colour hint: where, on the way to the next stop, both colours are mixed equally; as `offset`. */
    readonly hint?: number;
  })[];
  /** CSS `in oklch`: the colour space in which the stops are mixed. Default: "srgb". */
  readonly colorSpace?: "srgb" | "srgb-linear" | "oklab" | "oklch" | "hsl";
  /** The way round the circle of hues, in oklch and hsl. Default: "shorter". */
  readonly hue?: "shorter" | "longer" | "increasing" | "decreasing";
};

/** CSS grid: children go to the cells that they name (`gridColumn`, `gridRow`, spans, `gridArea`), the others to the next free ones. */
export type GridLayout = {
  readonly type: "grid";
  /** All the columns there are, unless `gridAutoColumns` or a flow by columns adds some. Default: []. */
  readonly columns?: readonly Tracks[];
  /** Rows beyond these are as `gridAutoRows` says. Default: []. */
  readonly rows?: readonly Tracks[];
  /** Names of cells, one text per row: ["head head", "side main"]; "." = no name. Default: null. */
  readonly gridTemplateAreas?: readonly string[] | null;
  /** Whether the next free cell is looked for by rows or by columns; dense: earlier holes are filled. Default: "row". */
  readonly gridAutoFlow?: "row" | "column" | "row dense" | "column dense";
  /** Sizes of the columns beyond `columns`, in turn. Default: null. */
  readonly gridAutoColumns?: readonly Track[] | null;
  /** Sizes of the rows beyond `rows`, in turn; null = they hug. Default: null. */
  readonly gridAutoRows?: readonly Track[] | null;
  /** Default: 0. */
  readonly gap?: Length | string | readonly [Length | string, Length | string];
  /** Where the columns lie when they are narrower than the frame. Default: "stretch". */
  readonly justifyContent?: "start" | "center" | "end" | "safe center" | "safe end" | "stretch" | "space-between" | "space-around" | "space-evenly";
  /** The same for the rows. Default: "stretch". */
  readonly alignContent?: "start" | "center" | "end" | "safe center" | "safe end" | "stretch" | "space-between" | "space-around" | "space-evenly";
  /** Default: "stretch". */
  readonly justifyItems?: "start" | "center" | "end" | "safe center" | "safe end" | "stretch";
  /** CSS align-items. Default: "stretch". */
  readonly align?: "start" | "center" | "end" | "safe center" | "safe end" | "stretch" | "baseline";
};

/** CSS grid-column and grid-row: a track from 1, or lines as CSS writes them. */
export type GridLines = number | string;

export type Guide = {
  readonly axis: "x" | "y";
  readonly at: Coordinate;
};

export type Health = {
  readonly status: "ok" | "ready";
};

export type HeightLimit = Length | string;

/** What the file says of itself; with `renderer: "chromium"`: `title`, `author`, `subject`, `keywords`, and the sheets that it is printed on. */
export type HtmlPdf = {
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: readonly string[];
  readonly language?: string;
  /** How readers number the pages: `prefix`, then the number in `style` (null = none) from `start`. */
  readonly pageLabel?: {
    /** Default: "decimal". */
    readonly style?: "decimal" | "roman" | "letters" | null;
    /** Default: "". */
    readonly prefix?: string;
    /** Default: 1. */
    readonly start?: number;
  };
  /** How a reader should open the file; readers may ignore it. */
  readonly viewer?: {
    readonly displayTitle?: boolean;
    readonly fitWindow?: boolean;
    readonly centerWindow?: boolean;
    readonly hideToolbar?: boolean;
    readonly hideMenubar?: boolean;
    readonly printScaling?: "none" | "default";
  };
  /** The level of PDF/A (archives) and PDF/UA (accessibility) that the file conforms to, or is refused: "A-3b", ["A-3b", "UA-1"]. */
  readonly conforms?: "A-2b" | "A-2u" | "A-3b" | "A-4" | "A-4f" | "UA-1" | "UA-2" | readonly ("A-2b" | "A-2u" | "A-3b" | "A-4" | "A-4f" | "UA-1" | "UA-2")[];
  readonly invoice?: PdfInvoice;
  readonly attachments?: readonly PdfAttachment[];
  /** How far what lies beyond the canvas is printed, px or such as "3mm", to be cut off: the canvas is the trim box of the page. */
  readonly bleed?: number | string;
  /** Lines beyond the bleed that show where to cut. */
  readonly cropMarks?: boolean;
  readonly outputIntent?: PdfOutputIntent;
  /** The most pixels to the inch that pictures keep, of what their box shows; 300 by default. */
  readonly density?: number;
  /** The paper, on as many sheets as the page needs. Without any size: one sheet. */
  readonly format?: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid" | "A0" | "A1" | "A2" | "A6" | "Ledger" | null;
  /** Width of a sheet instead of `format`, with `height`. */
  readonly width?: number | string;
  readonly height?: number | string;
  readonly landscape?: boolean;
  /** Margins of each sheet. `@page { margin }` of the page wins over them. */
  readonly margin?: number | string | {
    readonly top?: number | string;
    readonly right?: number | string;
    readonly bottom?: number | string;
    readonly left?: number | string;
  };
  /** Whether `@page { size }` of the page wins over `format`, `width` and `height`. */
  readonly preferCSSPageSize?: boolean;
  /** Markup within the top margin of each sheet. Elements of the classes pageNumber, totalPages, title, date and url are filled in. */
  readonly headerTemplate?: string | null;
  /** The same within the bottom margin. */
  readonly footerTemplate?: string | null;
  /** The pages to print, such as "1-3, 5" or "2-". */
  readonly pageRanges?: string | null;
  /** true by default. */
  readonly printBackground?: boolean;
  /** Of the page on its sheets; 1 by default. */
  readonly scale?: number;
  /** Which `@media` rules of the page hold; `screen` by default, so that it looks like its picture. */
  readonly media?: "screen" | "print";
  /** Whether the file holds its structure, for screen readers; true by default. */
  readonly tagged?: boolean;
  /** Whether the headings of the page become bookmarks, which takes a tagged file. */
  readonly outline?: boolean;
};

export type HtmlTemplate = {
  readonly $schema?: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine: "html";
  /** `platen` draws without a browser, as pictures and on pages, and warns of CSS that it does not have; `satori` draws a subset of CSS, and refuses by name what is beyond it; tables, masks and classes of Tailwind are drawn as by `platen`, with a warning. Default: "chromium". */
  readonly renderer?: "chromium" | "platen" | "satori";
  /** null = transparent; white in JPEG. Default: null. */
  readonly background?: string | null;
  readonly pdf?: HtmlPdf;
  /** The layers that callers and forms may change, in this order, and rules for their values. Absent: every layer. */
  readonly parameters?: readonly TemplateParameter[];
  /** A document, or what stands in its body. More than 500,000 characters are for `renderer: "platen"` alone. */
  readonly html: string;
  /** Default: "". */
  readonly css?: string;
  /** Whether `class` and `tw` take the utility classes of Tailwind CSS 4, below the rules of `css`. Default: false. */
  readonly tailwind?: boolean;
  /** Whether scripts in `html` run. Default: false. */
  readonly script?: boolean;
  /** As it was read; ignored. */
  readonly id?: string;
  /** As it was read; ignored. */
  readonly version?: number;
};

export type Image = {
  /** Use it, or the url, as the src of an image layer. */
  readonly id: string;
  readonly url: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly format: "png" | "jpeg" | "webp" | "gif" | "avif" | "svg" | "pdf";
};

export type ImageLayer = LayerProperties & {
  readonly type: "image";
  /** Default: "hug". */
  readonly width?: Dimension;
  /** Default: "hug". */
  readonly height?: Dimension;
  /** What it shows, for who does not see it: readers of a PDF speak it. "" = it is decoration; null = it is not said, which UA-1 and UA-2 refuse for pictures and charts. Default: null. */
  readonly alt?: string | null;
  /** An http:, https: or data: URL, `screenshot:` and the URL of a page, or the id of an uploaded image. Default: "". */
  readonly src?: string;
  /** Tried when `src` cannot be loaded. Default: null. */
  readonly fallback?: string | null;
  /** Left out, with a warning, when it cannot be loaded. Default: false. */
  readonly optional?: boolean;
  /** Of a PDF: which page of it. Outputs that are no PDF show `fallback` instead. Default: 1. */
  readonly pdfPage?: number;
  /** CSS object-fit. Default: "cover". */
  readonly fit?: "cover" | "contain" | "fill" | "none" | "scale-down";
  /** What `cover` keeps and where `contain` rests: a point (0 to 1), or found in the picture. Default: {"x":0.5,"y":0.5}. */
  readonly focus?: {
    readonly x: number;
    readonly y: number;
  } | "attention" | "entropy";
  /** How much larger than `fit` makes it the picture is drawn; the box cuts it, and `focus` decides where. Default: 1. */
  readonly zoom?: number;
  /** CSS image-rendering: `pixelated` keeps the pixels of an enlarged picture hard, as pixel art wants. Default: "auto". */
  readonly imageRendering?: "auto" | "pixelated";
  /** Default: 0. */
  readonly borderRadius?: CornerRadii;
  /** Default: null. */
  readonly border?: Border | null;
  /** Instead of `border` on this side; null = as it. Default: null. */
  readonly borderTop?: Border | null;
  /** Default: null. */
  readonly borderRight?: Border | null;
  /** Default: null. */
  readonly borderBottom?: Border | null;
  /** Default: null. */
  readonly borderLeft?: Border | null;
};

export type ImageList = {
  readonly images: readonly Image[];
  /** Send it as `after` to get the next page; absent on the last one. */
  readonly next?: string;
};

/** A picture in a line of text; `autoFit` shrinks it with the words. */
export type InlineImage = {
  /** As of an image layer. */
  readonly src: string;
  /** Default: null. */
  readonly fallback?: string | null;
  /** Left out, with a warning, when it cannot be loaded. Default: false. */
  readonly optional?: boolean;
  /** What it shows, for who does not see it: readers of a PDF speak it. "" = it is decoration; null = it is not said, which UA-1 and UA-2 refuse for pictures and charts. Default: null. */
  readonly alt?: string | null;
  /** px; null = by the picture’s proportions. Default: null. */
  readonly width?: Length | null;
  /** px; null = by the picture’s proportions, or else as high as the font size. Default: null. */
  readonly height?: Length | null;
  /** CSS vertical-align. Default: "baseline". */
  readonly verticalAlign?: "baseline" | "middle";
};

export type Inset = Coordinate | string | "auto";

/** A render or screenshot, finished or in progress. */
export type Job = {
  readonly id: string;
  readonly status: "queued" | "processing" | "done" | "error";
  readonly kind: "render" | "screenshot";
  /** Present once status is done. */
  readonly result: RenderResult | null;
  /** Present once status is error. */
  readonly error: string | null;
  readonly created_at: string | null;
  /** As given with the request; absent otherwise. */
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>>;
  /** Warnings about the render: at most 20 sentences and 2 KiB; omitted when there are none. */
  readonly warnings?: readonly string[];
};

export type Layer = TextLayer | ImageLayer | ShapeLayer | FrameLayer | TableLayer | ChartLayer | QrLayer | BarcodeLayer | ComponentLayer;

/** What all layers have. */
export type LayerProperties = {
  /** Unique in the template; the API parameter of this layer. */
  readonly name: string;
  /** From the left edge of the canvas or of the frame; ignored for a child that its frame lays out. Default: 0. */
  readonly x?: Coordinate;
  /** Default: 0. */
  readonly y?: Coordinate;
  /** Degrees clockwise about the centre. Default: 0. */
  readonly rotation?: number;
  /** Mirrors the layer, with all that is in it, about its middle: x, left and right; y, top and bottom. `rotation` turns what is mirrored. Default: "none". */
  readonly flip?: "none" | "x" | "y" | "xy";
  /** Default: 1. */
  readonly opacity?: number;
  /** Default: true. */
  readonly visible?: boolean;
  /** Shown only when values are equal to these: {"status": "paid"}, {"status": ["paid", "open"]}, {"note": {"is": "set"}}; a word is about this layer or about its entry in a list. Default: null. */
  readonly when?: "first" | "last" | "odd" | "even" | "set" | "empty" | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | {
    readonly is: "set" | "empty";
  }>> | null;
  /** Default: "normal". */
  readonly blendMode?: "normal" | "multiply" | "screen" | "overlay" | "darken" | "lighten" | "color-dodge" | "color-burn" | "hard-light" | "soft-light" | "difference" | "exclusion" | "hue" | "saturation" | "color" | "luminosity";
  /** CSS box-shadow of boxes and shapes, drop-shadow of text and images. Default: null. */
  readonly shadow?: Shadow | readonly Shadow[] | null;
  /** Blurs the whole layer; standard deviation, px. Default: 0. */
  readonly blur?: Blur;
  /** CSS filter, of all that the layer paints with its shadows; of an image, of the picture alone. Default: null. */
  readonly filters?: Filters | null;
  /** CSS backdrop-filter: of what lies behind the layer, within its outline; of at most 16 layers. Default: null. */
  readonly backdropFilters?: Filters | null;
  /** Default: null. */
  readonly mask?: Mask | null;
  /** A hyperlink over the layer, in PDF. Default: null. */
  readonly link?: string | null;
  /** absolute: taken out of its frame’s flow and placed by x and y, or by `top`, `right`, `bottom`, `left`. relative: moved by these from its place in the flow. Default: "static". */
  readonly position?: "static" | "relative" | "absolute";
  /** The distance from the frame’s top, px or a percentage. If `top` and `bottom` are null, `y` counts; if both are "auto", the layer is where its frame would lay it out. Default: null. */
  readonly top?: Inset | null;
  /** Default: null. */
  readonly right?: Inset | null;
  /** Default: null. */
  readonly bottom?: Inset | null;
  /** Default: null. */
  readonly left?: Inset | null;
  /** Default: null. */
  readonly minWidth?: WidthLimit | null;
  /** Default: null. */
  readonly maxWidth?: WidthLimit | null;
  /** Default: null. */
  readonly minHeight?: HeightLimit | null;
  /** Default: null. */
  readonly maxHeight?: HeightLimit | null;
  /** width / height. Default: null. */
  readonly aspectRatio?: number | null;
  /** Default: 0. */
  readonly flexGrow?: number;
  /** CSS; null = 1 for text and for frames that hug their width, 0 for all else. Default: null. */
  readonly flexShrink?: number | null;
  /** Default: null. */
  readonly flexBasis?: Dimension | null;
  /** Default: "auto". */
  readonly alignSelf?: "auto" | "start" | "center" | "end" | "safe center" | "safe end" | "stretch" | "baseline";
  /** Within its columns of a grid. Default: "auto". */
  readonly justifySelf?: "auto" | "start" | "center" | "end" | "safe center" | "safe end" | "stretch";
  /** The first column, from 1, or lines such as "1 / -1"; null = the next free. Default: null. */
  readonly gridColumn?: GridLines | null;
  /** Default: null. */
  readonly gridRow?: GridLines | null;
  /** How many columns of a grid it takes. Default: 1. */
  readonly columnSpan?: number;
  /** Default: 1. */
  readonly rowSpan?: number;
  /** An area that its grid names in `gridTemplateAreas`, instead of a column and a row. Default: null. */
  readonly gridArea?: string | null;
  /** Default: 0. */
  readonly margin?: Margin;
  /** Which pages of a document the layer is on, if it is not in a frame; of a list, those for which all of it holds: ["odd", "not-last"]. Default: "all". */
  readonly pages?: "all" | "first" | "not-first" | "last" | "not-last" | "odd" | "even" | readonly ("all" | "first" | "not-first" | "last" | "not-last" | "odd" | "even")[];
  /** CSS page: the name of the sheet, of `page.named` of the template, on which a child of the frame that flows stands. Another than before begins a page. Default: null. */
  readonly page?: string | null;
  /** CSS. page: begins a page of a document. avoid: stays with the layer before it. Default: "auto". */
  readonly breakBefore?: "auto" | "page" | "avoid";
  /** CSS. page: ends a page of a document. avoid: stays with the next layer, as headings do. Default: "auto". */
  readonly breakAfter?: "auto" | "page" | "avoid";
  /** CSS. avoid: goes to the next page of a document as a whole. Default: "auto". */
  readonly breakInside?: "auto" | "avoid";
  /** In a frame that goes on over pages of a document: is shown again at the top, or the bottom, of each part of it, as the head of a table is. Default: null. */
  readonly repeatOnPages?: "top" | "bottom" | null;
  readonly constraints?: Constraints;
  /** Whether the studio’s canvas leaves it alone. Has no effect on rendering. */
  readonly locked?: boolean;
};

export type LayersTemplate = {
  readonly $schema?: string;
  readonly name: string;
  readonly width: number | string;
  readonly height: number | string;
  /** Default: "layers". */
  readonly engine?: "layers";
  /** null = transparent; white in JPEG. Default: null. */
  readonly background?: Fill | null;
  /** BCP 47; the `lang` of texts that have none. */
  readonly lang?: string;
  /** ISO 4217; of formats that name none. */
  readonly currency?: string;
  readonly page?: Page;
  readonly pdf?: TemplatePdf;
  /** The name of a brand, whose colours, fonts, text styles, pictures and numbers stand as `$name` in values; without a version, the newest when the template is saved. */
  readonly brand?: string;
  /** Further canvases by name, at most 20. Layers follow their `constraints`, or else keep their place in proportion; `changes` says what differs. */
  readonly sizes?: Readonly<Record<string, TemplateSize>>;
  /** What layers say in other languages: {"title": {"de": "Hallo", "fr": "Bonjour"}}; an object changes further properties. */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string | Readonly<Record<string, unknown>>>>>>;
  /** The layers that callers and forms may change, in this order, and rules for their values. Absent: every layer. */
  readonly parameters?: readonly TemplateParameter[];
  /** Lines in the studio’s canvas that layers snap to. Renders do not show them. */
  readonly guides?: readonly Guide[];
  /** Painted in order: the first is at the back. Default: []. */
  readonly layers?: readonly Layer[];
  /** As it was read; ignored. */
  readonly id?: string;
  /** As it was read; ignored. */
  readonly version?: number;
};

/** Where every layer ends up, in canvas px. */
export type Layout = {
  readonly width: number;
  readonly height: number;
  /** In painting order, frames before what is in them. */
  readonly layers: readonly ({
    readonly name: string;
    /** The frame that it is in; null on the canvas. */
    readonly frame: string | null;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly text?: {
      /** px, after autoFit. */
      readonly fontSize: number;
      readonly lines: readonly ({
        readonly text: string;
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
        readonly baseline: number;
      })[];
      readonly overflows: boolean;
    };
  })[];
};

export type LayoutRequest = {
  /** Layer name → value. A string sets the layer’s text, image source, value or fill; an object is merged into it; a list of such objects repeats a frame’s children. */
  readonly modifications?: Readonly<Record<string, unknown>>;
  /** The name of a size; `default` is its own canvas. */
  readonly size?: string;
  /** BCP 47; the language of the texts, if the template has it. */
  readonly lang?: string;
  /** In place of the template’s brand: `acme`, or `acme@2`. */
  readonly brand?: string;
};

export type Length = number | string;

export type LineWidth = number | string;

/** ["a", "b", "c"] → a, b, and c */
export type ListFormat = {
  readonly type: "list";
  /** Default: "conjunction". */
  readonly style?: "conjunction" | "disjunction" | "unit";
};

/** Px, a percentage of the width of the frame around, or `auto`, which takes the space that is left; one, or four sides. */
export type Margin = Coordinate | string | "auto" | readonly [Coordinate | string | "auto", Coordinate | string | "auto", Coordinate | string | "auto", Coordinate | string | "auto"];

/** CSS mask: cuts the layer to an outline over its box, and fades it by a gradient or a picture. Shadows fall from what is left. */
export type Mask = {
  /** Default: "rect". */
  readonly shape?: "rect" | "ellipse" | "line" | "polygon" | "star" | "path";
  /** Default: 0. */
  readonly borderRadius?: CornerRadii;
  /** polygon: its corners as [x, y] in px within the box, or how many sides a regular one has (default 6). star: how many tips (default 5). line: its ends (default: corner to corner of the box). Default: null. */
  readonly points?: readonly (readonly [Coordinate, Coordinate])[] | number | null;
  /** star: the inner radius as a fraction of the outer. Default: 0.5. */
  readonly innerRadius?: number;
  /** path: SVG path data, in px within the box or in `viewBox`. Default: null. */
  readonly d?: string | null;
  /** path: the rectangle of `d` that is stretched over the box. Default: null. */
  readonly viewBox?: readonly [Coordinate | Length, Coordinate | Length, Coordinate | Length, Coordinate | Length] | null;
  /** A gradient over the box: its opacity is that of the layer. Default: null. */
  readonly gradient?: Gradient | null;
  /** A picture instead of a gradient; as `src` of an image. Default: null. */
  readonly src?: string | null;
  /** How the picture of `src` lies in the box; CSS object-fit. Default: "cover". */
  readonly fit?: "cover" | "contain" | "fill" | "none" | "scale-down";
  /** CSS mask-mode: whether the opacity of the gradient or picture counts, or its light. Default: "alpha". */
  readonly mode?: "alpha" | "luminance";
};

/** Items of one stored template, which end in one file. */
export type MergedBatchRequest = {
  readonly template?: string;
  /** Another name for template. */
  readonly templateId?: string;
  /** pdf: all pages in one file, fonts and pictures once. zip: one file per item. */
  readonly merge: "zip" | "pdf";
  /** Of the file, without extension. */
  readonly name?: string;
  /** Of a merged PDF: file counts pages over all of it, within 20 s before the batch is accepted; item, of each. */
  readonly numbering?: "item" | "file";
  /** Puts each page into a cell of a sheet, from left to right. A label that is larger than its cell is made smaller. */
  readonly sheet?: {
    /** A sheet such as "A4", or its width and height. */
    readonly size: "A3" | "A4" | "A5" | "A6" | "A7" | "B4" | "B5" | "DL" | "C5" | "Letter" | "Legal" | "Tabloid" | readonly [number | string, number | string];
    /** Turns the sheet: its longer side is its width. Default: false. */
    readonly landscape?: boolean;
    readonly columns: number;
    readonly rows: number;
    /** Around the cells, which divide the rest. Without it, cells are as large as the first label and stand in the middle of the sheet. */
    readonly margin?: number | string | {
      /** Default: 0. */
      readonly top?: number | string;
      /** Default: 0. */
      readonly right?: number | string;
      /** Default: 0. */
      readonly bottom?: number | string;
      /** Default: 0. */
      readonly left?: number | string;
    };
    /** Between columns and rows, or of each: ["2.5mm", 0]. Default: 0. */
    readonly gap?: number | string | readonly [number | string, number | string];
    /** The cell of the first label, from 1: for a first sheet on which some are used up. Default: 1. */
    readonly start?: number;
  };
  /** The modification whose value names the file of an item, and its entry in the outline of a PDF. */
  readonly nameFrom?: string;
  /** Called when every item has finished. */
  readonly webhookUrl?: string | null;
  /** Of every item that has none of its own. */
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>> | null;
  /** A size of the template, several, or `all`. Several give a file each. */
  readonly size?: string | readonly string[];
  /** The language of its texts (BCP 47), several, or `all`. */
  readonly lang?: string | readonly string[];
  /** A brand in place of the template’s own, or several. */
  readonly brand?: string | readonly string[];
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
  readonly items: readonly ({
    /** Layer name → value. A string sets the layer’s text, image source, value or fill; an object is merged into it; a list of such objects repeats a frame’s children. */
    readonly modifications: Readonly<Record<string, unknown>>;
    /** A size of the template, several, or `all`. Several give a file each. */
    readonly size?: string | readonly string[];
    /** The language of its texts (BCP 47), several, or `all`. */
    readonly lang?: string | readonly string[];
    /** A brand in place of the template’s own, or several. */
    readonly brand?: string | readonly string[];
    readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>> | null;
  } | Readonly<Record<string, unknown>>)[];
};

/** 1234.5 → 1,234.5 */
export type NumberFormat = {
  readonly type: "number";
  /** Default: null. */
  readonly minimumFractionDigits?: number | null;
  /** Rounded half away from zero; null = as is usual. Default: null. */
  readonly maximumFractionDigits?: number | null;
  /** Default: true. */
  readonly useGrouping?: boolean;
  /** Default: "auto". */
  readonly signDisplay?: "auto" | "always" | "exceptZero" | "negative" | "never";
  /** Default: "standard". */
  readonly notation?: "standard" | "compact";
};

export type OutdatedUses = {
  /** The newest version of the brand or the component. */
  readonly newest: number;
  /** Of all pages. */
  readonly total: number;
  readonly templates: readonly ({
    readonly id: string;
    readonly name: string;
    /** The template’s newest. */
    readonly version: number;
    /** The version of the brand or the component that it uses; the oldest of several. */
    readonly used: number;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

/** Px or a percentage of the width of the frame around; one, or four sides. */
export type Padding = Coordinate | string | readonly [Coordinate | string, Coordinate | string, Coordinate | string, Coordinate | string];

/** Makes the template a document: its frame with `flow` goes on over as many pages as it needs; other layers are on the pages that `pages` says. */
export type Page = {
  readonly size: "A3" | "A4" | "A5" | "A6" | "A7" | "B4" | "B5" | "DL" | "C5" | "Letter" | "Legal" | "Tabloid" | readonly [number | string, number | string];
  /** Turns the sheet: its longer side is its width. Default: false. */
  readonly landscape?: boolean;
  /** Around what flows; other layers may stand in it. Default: 0. */
  readonly margin?: number | string | {
    /** Default: 0. */
    readonly top?: number | string;
    /** Default: 0. */
    readonly right?: number | string;
    /** Default: 0. */
    readonly bottom?: number | string;
    /** Default: 0. */
    readonly left?: number | string;
  };
  /** Other margins above and below, of the first page: for a letterhead. */
  readonly first?: {
    readonly top?: number | string;
    readonly bottom?: number | string;
  };
  /** The same of the last page: for a slip at its foot. It wins over `first` where there is one page. */
  readonly last?: {
    readonly top?: number | string;
    readonly bottom?: number | string;
  };
  /** CSS named pages: other sheets for parts of what flows, by the names that `page` of these layers says: {"wide": {"landscape": true}}. */
  readonly named?: Readonly<Record<string, {
    readonly size?: "A3" | "A4" | "A5" | "A6" | "A7" | "B4" | "B5" | "DL" | "C5" | "Letter" | "Legal" | "Tabloid" | readonly [number | string, number | string];
    readonly landscape?: boolean;
    /** px, or such as "20mm", of all sides or of each. */
    readonly margin?: number | string | {
      /** Default: 0. */
      readonly top?: number | string;
      /** Default: 0. */
      readonly right?: number | string;
      /** Default: 0. */
      readonly bottom?: number | string;
      /** Default: 0. */
      readonly left?: number | string;
    };
  }>>;
  /** Even pages have their left and right margins swapped. Default: false. */
  readonly mirrored?: boolean;
  /** Nothing flows on the first page: it has only the layers that are on it. Default: false. */
  readonly cover?: boolean;
};

/** A file within the PDF: `data` is its bytes in base64. */
export type PdfAttachment = {
  readonly name: string;
  /** Default: "application/octet-stream". */
  readonly mime?: string;
  readonly data: string;
  readonly description?: string;
  /** What it is to the document (ISO 32000-2, 7.11.3). Default: "Unspecified". */
  readonly relationship?: "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified";
};

/** An e-invoice of Factur-X, ZUGFeRD or XRechnung (CII): its XML is attached as it is, and the file conforms to A-3b. Cells with `total` must show the same totals. */
export type PdfInvoice = {
  readonly xml: string;
  readonly profile: "MINIMUM" | "BASIC WL" | "BASIC" | "EN 16931" | "EXTENDED" | "XRECHNUNG";
};

/** How the file is printed: an ICC profile of CMYK in base64, and the name of the condition. */
export type PdfOutputIntent = {
  readonly profile: string;
  readonly condition: string;
};

/** 0.19 → 19% */
export type PercentFormat = {
  readonly type: "percent";
  /** Default: null. */
  readonly minimumFractionDigits?: number | null;
  /** Rounded half away from zero; null = as is usual. Default: null. */
  readonly maximumFractionDigits?: number | null;
  /** Default: true. */
  readonly useGrouping?: boolean;
  /** Default: "auto". */
  readonly signDisplay?: "auto" | "always" | "exceptZero" | "negative" | "never";
};

/** 3 → 3 days */
export type PluralFormat = {
  readonly type: "plural";
  /** Default: null. */
  readonly minimumFractionDigits?: number | null;
  /** Rounded half away from zero; null = as is usual. Default: null. */
  readonly maximumFractionDigits?: number | null;
  /** Default: true. */
  readonly useGrouping?: boolean;
  /** Default: "auto". */
  readonly signDisplay?: "auto" | "always" | "exceptZero" | "negative" | "never";
  /** By plural category of the language; `#` is the number: {"one": "# day", "other": "# days"}. */
  readonly forms: {
    readonly zero?: string;
    readonly one?: string;
    readonly two?: string;
    readonly few?: string;
    readonly many?: string;
    readonly other: string;
  };
};

export type PreviewRequest = LayoutRequest & {
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
};

export type QrLayer = LayerProperties & {
  readonly type: "qr";
  /** Default: 100. */
  readonly width?: Dimension;
  /** Default: 100. */
  readonly height?: Dimension;
  /** Read instead of its value. Default: null. */
  readonly alt?: string | null;
  /** Default: "https://example.com". */
  readonly value?: string;
  /** Instead of `value`: texts and values, one after the other; setting `value` removes them. Numbers are written with a point, as machines read them: [{"text": "EUR"}, {"name": "total"}]. Default: null. */
  readonly spans?: readonly ValueSpan[] | null;
  /** Default: "#000000". */
  readonly color?: Fill;
  /** Default: "#ffffff". */
  readonly background?: Fill | null;
  /** Default: "M". */
  readonly errorCorrection?: "L" | "M" | "Q" | "H";
  /** Modules of margin; ISO/IEC 18004 asks for 4. Default: 4. */
  readonly quietZone?: number;
};

/** One asset; or an entry for each, where several sizes, languages or brands were asked for. */
export type RenderAnswer = RenderResult | BatchResult;

export type RenderItem = {
  /** A template’s id, or id@3 for a version; or a template itself (see the schema Template), which is then not stored. Required, here or as templateId. */
  readonly template?: string | Readonly<Record<string, unknown>>;
  /** Another name for template. */
  readonly templateId?: string;
  /** Layer name → value. A string sets the layer’s text, image source, value or fill; an object is merged into it; a list of such objects repeats a frame’s children. */
  readonly modifications?: Readonly<Record<string, unknown>>;
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>> | null;
  /** A size of the template, several, or `all`. Several give a file each. */
  readonly size?: string | readonly string[];
  /** The language of its texts (BCP 47), several, or `all`. */
  readonly lang?: string | readonly string[];
  /** A brand in place of the template’s own, or several. */
  readonly brand?: string | readonly string[];
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
};

export type RenderList = {
  readonly renders: readonly ({
    readonly id: string;
    readonly status: "queued" | "processing" | "done" | "error";
    readonly kind: "render" | "screenshot";
    readonly output: "png" | "jpeg" | "webp" | "avif" | "svg" | "pdf";
    /** The asset, until its file expires. */
    readonly result: RenderResult | null;
    readonly error: string | null;
    /** Of the file, bytes. */
    readonly size: number | null;
    /** Its id is inline@<digest>, without a version, where the template came with the request. */
    readonly template: {
      readonly id: string;
      readonly version: number | null;
    } | null;
    /** Of a screenshot: the page, without its query. */
    readonly page: string | null;
    readonly metadata: string | Readonly<Record<string, string | number | boolean | null>> | null;
    /** Its warnings: at most 20 sentences and 2 KiB. */
    readonly warnings: readonly string[];
    readonly created_at: string;
    readonly finished_at: string | null;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type RenderRequest = RenderItem & {
  /** Default: false. */
  readonly async?: boolean;
  /** Default: null. */
  readonly webhookUrl?: string | null;
  /** bytes: the file itself is the answer. Otherwise the Accept header decides: image/png, or JSON. Default: null. */
  readonly response?: "json" | "bytes" | null;
};

/** A stored asset, with what the request chose of a design. */
export type RenderResult = {
  /** The render; also the asset’s name. */
  readonly id: string;
  /** The public address of the asset. */
  readonly url: string;
  readonly output: "png" | "jpeg" | "webp" | "avif" | "svg" | "pdf";
  /** The name of a size; `default` is its own canvas. */
  readonly size?: string;
  /** BCP 47; the language of the texts, if the template has it. */
  readonly lang?: string;
  /** In place of the template’s brand: `acme`, or `acme@2`. */
  readonly brand?: string;
  /** As given with the request; absent otherwise. */
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>>;
};

export type RepeatOptions = {
  /** The most entries that are shown; more cause a warning. Default: null. */
  readonly max?: number | null;
  /** The name of the child that is shown instead for a list without entries. Default: null. */
  readonly empty?: string | null;
  /** The name of the child that is shown only between two entries. Default: null. */
  readonly separator?: string | null;
  /** Modifications of every second entry: {"row": {"background": "#f6f6f6"}}. Default: null. */
  readonly alternate?: Readonly<Record<string, unknown>> | null;
};

/** Wins over the template's `pdf`, property by property. Sheets are for html templates that Chromium draws. */
export type RequestedPdf = HtmlPdf & {
  /** Numbers the pages as a part of a longer file, of `total` pages; `last` refuses a document of another length. */
  readonly pageNumbers?: {
    readonly first: number;
    readonly last?: number;
    readonly total: number;
  };
  /** Whether equal requests give equal bytes: the creation date is then a fixed one. */
  readonly reproducible?: boolean;
};

export type RetiredSecrets = {
  readonly retired: number;
};

export type RevokedEditorTokens = {
  /** Tokens that were issued before this moment are refused. */
  readonly before: string;
};

export type ScreenshotRequest = {
  /** The page, unless `html` is given. */
  readonly url?: string;
  /** The page itself, instead of `url`: a document, or what stands in its body. Default: null. */
  readonly html?: string | null;
  /** Whether inline scripts of `html` run. Default: false. */
  readonly script?: boolean;
  /** Default: 1200. */
  readonly width?: number;
  /** Default: 630. */
  readonly height?: number;
  /** Default: false. */
  readonly fullPage?: boolean;
  /** Cuts a full page off at this height, in CSS px, with a warning: for pages without end. Default: null. */
  readonly maxHeight?: number | null;
  /** Default: 1. */
  readonly scale?: number;
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "pdf";
  /** Default: null. */
  readonly selector?: string | null;
  /** Default: 80. */
  readonly quality?: number;
  /** Default: false. */
  readonly omitBackground?: boolean;
  /** Default: "load". */
  readonly waitUntil?: "load" | "domcontentloaded" | "networkidle0" | "networkidle2";
  /** Default: null. */
  readonly waitForSelector?: string | null;
  /** JavaScript that is evaluated in the page until it is true. Default: null. */
  readonly waitForExpression?: string | null;
  /** Default: 0. */
  readonly delay?: number;
  /** Default: 30000. */
  readonly timeout?: number;
  /** Hosts that serve advertisements are not reached. Default: false. */
  readonly blockAds?: boolean;
  /** Hosts that count visitors, and tag managers, are not reached. Default: false. */
  readonly blockTrackers?: boolean;
  /** Hosts of consent managers are not reached; the banners of the common ones are hidden. Default: false. */
  readonly blockCookieBanners?: boolean;
  /** Default: []. */
  readonly hideSelectors?: readonly string[];
  /** Default: null. */
  readonly css?: string | null;
  /** Whether a page that answers 400 to 599 is a failure. Otherwise that is a warning. Default: false. */
  readonly failOnStatus?: boolean;
  /** Whether an image, style sheet or font that cannot be loaded is a failure. Otherwise it is left out, of `html` with a warning. Default: false. */
  readonly failOnMissingFiles?: boolean;
  /** Default: false. */
  readonly darkMode?: boolean;
  /** Default: false. */
  readonly reducedMotion?: boolean;
  /** Default: null. */
  readonly userAgent?: string | null;
  /** Default: null. */
  readonly timezone?: string | null;
  /** Default: null. */
  readonly locale?: string | null;
  /** Default: {}. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: []. */
  readonly cookies?: readonly ({
    readonly name: string;
    readonly value: string;
  })[];
  /** Default: {}. */
  readonly pdf?: {
    readonly title?: string;
    readonly author?: string;
    readonly subject?: string;
    readonly keywords?: readonly string[];
    /** The paper, on as many sheets as the page needs. Without any size: one sheet. */
    readonly format?: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid" | "A0" | "A1" | "A2" | "A6" | "Ledger" | null;
    /** Width of a sheet instead of `format`, with `height`. */
    readonly width?: number | string;
    readonly height?: number | string;
    readonly landscape?: boolean;
    /** Margins of each sheet. `@page { margin }` of the page wins over them. */
    readonly margin?: number | string | {
      readonly top?: number | string;
      readonly right?: number | string;
      readonly bottom?: number | string;
      readonly left?: number | string;
    };
    /** Whether `@page { size }` of the page wins over `format`, `width` and `height`. */
    readonly preferCSSPageSize?: boolean;
    /** Markup within the top margin of each sheet. Elements of the classes pageNumber, totalPages, title, date and url are filled in. */
    readonly headerTemplate?: string | null;
    /** The same within the bottom margin. */
    readonly footerTemplate?: string | null;
    /** The pages to print, such as "1-3, 5" or "2-". */
    readonly pageRanges?: string | null;
    /** true by default. */
    readonly printBackground?: boolean;
    /** Of the page on its sheets; 1 by default. */
    readonly scale?: number;
    /** Which `@media` rules of the page hold; `screen` by default, so that it looks like its picture. */
    readonly media?: "screen" | "print";
    /** Whether the file holds its structure, for screen readers; true by default. */
    readonly tagged?: boolean;
    /** Whether the headings of the page become bookmarks, which takes a tagged file. */
    readonly outline?: boolean;
  };
  readonly metadata?: string | Readonly<Record<string, string | number | boolean | null>> | null;
  /** Default: false. */
  readonly async?: boolean;
  /** Default: null. */
  readonly webhookUrl?: string | null;
  /** bytes: the file itself is the answer. Otherwise the Accept header decides: image/png, or JSON. Default: null. */
  readonly response?: "json" | "bytes" | null;
};

export type Secret = {
  readonly secret: string;
};

export type SecretList = {
  readonly secrets: readonly ({
    /** What it signs: render URLs, or webhooks. */
    readonly purpose: "signing" | "webhook";
    readonly last_four: string;
    readonly created_at: string;
    /** Older secrets that are still accepted. */
    readonly previous: number;
  })[];
};

export type Shadow = {
  /** Default: 0. */
  readonly x?: Coordinate;
  /** Default: 0. */
  readonly y?: Coordinate;
  /** CSS blur radius: twice the standard deviation. Default: 0. */
  readonly blur?: number | string;
  /** Grows the silhouette; of boxes and shapes only. Default: 0. */
  readonly spread?: number | string;
  /** Any CSS colour. Default: "rgba(0, 0, 0, 0.5)". */
  readonly color?: string;
  /** Inside the box or shape, the letters of a text, or what is drawn of a picture. Default: false. */
  readonly inset?: boolean;
};

export type ShapeLayer = LayerProperties & {
  readonly type: "shape";
  /** Default: 100. */
  readonly width?: Dimension;
  /** Default: 100. */
  readonly height?: Dimension;
  /** What it shows, for who does not see it: readers of a PDF speak it. "" = it is decoration; null = it is not said, which UA-1 and UA-2 refuse for pictures and charts. Default: null. */
  readonly alt?: string | null;
  /** Default: "rect". */
  readonly shape?: "rect" | "ellipse" | "line" | "polygon" | "star" | "path";
  /** Default: 0. */
  readonly borderRadius?: CornerRadii;
  /** polygon: its corners as [x, y] in px within the box, or how many sides a regular one has (default 6). star: how many tips (default 5). line: its ends (default: corner to corner of the box). Default: null. */
  readonly points?: readonly (readonly [Coordinate, Coordinate])[] | number | null;
  /** star: the inner radius as a fraction of the outer. Default: 0.5. */
  readonly innerRadius?: number;
  /** path: SVG path data, in px within the box or in `viewBox`. Default: null. */
  readonly d?: string | null;
  /** path: the rectangle of `d` that is stretched over the box. Default: null. */
  readonly viewBox?: readonly [Coordinate | Length, Coordinate | Length, Coordinate | Length, Coordinate | Length] | null;
  /** null = not filled; a line is only stroked. Default: "#000000". */
  readonly fill?: Fill | null;
  /** Default: "nonzero". */
  readonly fillRule?: "nonzero" | "evenodd";
  /** Default: null. */
  readonly stroke?: Fill | null;
  /** Default: 1. */
  readonly strokeWidth?: LineWidth;
  /** Default: []. */
  readonly strokeDash?: readonly Length[];
  /** Default: "butt". */
  readonly strokeCap?: "butt" | "round" | "square";
  /** Default: "miter". */
  readonly strokeJoin?: "miter" | "round" | "bevel";
};

/** A run of text with its own style; what it leaves out is the layer’s. */
export type Span = TextStyle & {
  /** Default: "". */
  readonly text?: string;
  /** Shows the value that the request, or another layer, has by this name; `text` stands where there is none. */
  readonly name?: string;
  /** How the value is written. */
  readonly format?: "number" | "currency" | "percent" | "date" | "list" | NumberFormat | CurrencyFormat | PercentFormat | UnitFormat | DateFormat | ListFormat | PluralFormat | null;
  /** A picture instead of `text`. */
  readonly image?: InlineImage | null;
  /** Instead of `text`, in a document: the number of the `page`; how many `pages` there are; the same within a section, which begins on the page of a heading of level 1; the text of the last such heading (`section`) or of any level (`heading`) up to the end of the page. `row`: the number of the entry of a list. */
  readonly counter?: "page" | "pages" | "section-page" | "section-pages" | "section" | "heading" | "row";
  /** With `counter: "page"`: the number of the page on which the layer of this name begins, and a link to it in a PDF. CSS: target-counter(). */
  readonly of?: string;
  /** Instead of `text`, in what flows over pages: a raised number, and this note at the foot of the page that the number is on, in letters of 0.8 of the size. CSS: float: footnote. */
  readonly footnote?: string | TextStyle & {
    readonly text: string;
  };
  readonly link?: string | null;
  /** A text style of the brand: "$headline". */
  readonly textStyle?: string;
};

/** A brand: what `$name` in the values of templates stands for. */
export type StoredBrand = {
  readonly name: string;
  readonly version: number;
  /** CSS colours and gradients: {"primary": "#1d4ed8"}. Default: {}. */
  readonly colors: Readonly<Record<string, Fill>>;
  /** Properties of texts: {"headline": {"fontFamily": "$display", "fontSize": 64}}. Default: {}. */
  readonly textStyles: Readonly<Record<string, TextStyle>>;
  /** Families: {"display": "Bricolage Grotesque"}. Default: {}. */
  readonly fonts: Readonly<Record<string, string | readonly string[]>>;
  /** Sources of pictures: {"logo": "img_…"}. Default: {}. */
  readonly images: Readonly<Record<string, string>>;
  /** Lengths and other numbers: {"radius": 12}. Default: {}. */
  readonly numbers: Readonly<Record<string, Coordinate>>;
};

/** The document as it was posted, with its id and version. */
export type StoredTemplate = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
};

export type StudioAccepted = {
  readonly id: string;
};

export type StudioAccount = {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly plan: string;
  readonly role: "owner" | "editor" | "viewer";
  readonly createdAt: string;
  /** What an owner suspends, an owner can resume; null = it is not suspended. */
  readonly suspendedBy: "owner" | "operator" | null;
};

export type StudioAccountChange = {
  readonly name: string;
  readonly email: string | null;
};

export type StudioAskedPasskey = {
  /** To be sent with the answer, once, within ten minutes. */
  readonly token: string;
  /** For PublicKeyCredential.parseCreationOptionsFromJSON, or parseRequestOptionsFromJSON. */
  readonly options: Readonly<Record<string, unknown>>;
};

export type StudioAudit = {
  readonly items: readonly ({
    /** A number in digits, which rises from entry to entry. */
    readonly id: string;
    readonly actor: AuditActor;
    readonly action: AuditAction;
    /** What was changed, with its name at that time. */
    readonly subject: {
      readonly id: string | null;
      readonly name: string | null;
    };
    /** The role, the plan, the kind of the key, or the version. */
    readonly detail: string | null;
    readonly requestId: string | null;
    readonly createdAt: string;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioBatch = {
  readonly id: string;
  readonly template: string;
  /** What it was made from, such as the name of a file. */
  readonly name: string | null;
  readonly archive: "zip" | "pdf";
  readonly createdAt: string;
  readonly total: number;
  readonly done: number;
  /** Finished items that have warnings. */
  readonly warned: number;
  readonly failed: number;
  /** The first 50, by their row from 0 up. */
  readonly errors: readonly ({
    readonly row: number;
    readonly error: string;
  })[];
  /** The path of the file, once all rows have finished. */
  readonly file: string | null;
};

export type StudioBatchList = {
  readonly items: readonly ({
    readonly id: string;
    readonly template: string;
    /** What it was made from, such as the name of a file. */
    readonly name: string | null;
    readonly archive: "zip" | "pdf";
    readonly createdAt: string;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioBatchRequest = {
  /** Null = the newest, whenever. */
  readonly version?: number | null;
  /** What it is made from, such as the name of a file: its download is called so. */
  readonly name?: string | null;
  readonly rows: readonly ({
    /** Of its file, without extension. */
    readonly name?: string | null;
    /** Layer name → value. */
    readonly modifications: Readonly<Record<string, unknown>>;
  })[];
  readonly archive: "zip" | "pdf";
  /** Of a merged PDF: file counts pages over all of it, within 20 s before the batch is accepted; item, of each. */
  readonly numbering?: "item" | "file";
  /** Puts each page into a cell of a sheet, from left to right. A label that is larger than its cell is made smaller. */
  readonly sheet?: {
    /** A sheet such as "A4", or its width and height. */
    readonly size: "A3" | "A4" | "A5" | "A6" | "A7" | "B4" | "B5" | "DL" | "C5" | "Letter" | "Legal" | "Tabloid" | readonly [number | string, number | string];
    /** Turns the sheet: its longer side is its width. Default: false. */
    readonly landscape?: boolean;
    readonly columns: number;
    readonly rows: number;
    /** Around the cells, which divide the rest. Without it, cells are as large as the first label and stand in the middle of the sheet. */
    readonly margin?: number | string | {
      /** Default: 0. */
      readonly top?: number | string;
      /** Default: 0. */
      readonly right?: number | string;
      /** Default: 0. */
      readonly bottom?: number | string;
      /** Default: 0. */
      readonly left?: number | string;
    };
    /** Between columns and rows, or of each: ["2.5mm", 0]. Default: 0. */
    readonly gap?: number | string | readonly [number | string, number | string];
    /** The cell of the first label, from 1: for a first sheet on which some are used up. Default: 1. */
    readonly start?: number;
  };
  /** A size of the template, several, or `all`. Several give a file each. */
  readonly size?: string | readonly string[];
  /** The language of its texts (BCP 47), several, or `all`. */
  readonly lang?: string | readonly string[];
  /** A brand in place of the template’s own, or several. */
  readonly brand?: string | readonly string[];
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "svg" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
};

export type StudioBatchRowList = {
  readonly items: readonly ({
    /** Of its render. */
    readonly id: string;
    /** From 0 up. */
    readonly row: number;
    /** Of its file, without extension. */
    readonly name: string;
    /** Null = its render is gone. */
    readonly status: "queued" | "processing" | "done" | "error" | null;
    readonly error: string | null;
    readonly warnings: readonly string[];
    /** Of its file, while that is kept. */
    readonly url: string | null;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioBrandList = {
  readonly items: readonly ({
    readonly name: string;
    readonly version: number;
    readonly updatedAt: string;
    /** Templates that use an older version. */
    readonly outdatedUses: number;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioBrandSave = {
  /** The version that was changed; 0 = this is a new brand. */
  readonly baseVersion: number;
  /** All of it; what is left out is empty. */
  readonly brand: Readonly<Record<string, unknown>>;
};

export type StudioBrandVersions = {
  readonly items: readonly ({
    readonly version: number;
    readonly createdAt: string;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

/** Somebody has saved since: who, and when. */
export type StudioChanged = {
  readonly error: string;
  readonly code: string;
  readonly revision: number;
  readonly savedAt: string | null;
  /** Who did it; null = an API key, the command line, or somebody who is gone. */
  readonly savedBy: {
    readonly id: string;
    readonly name: string;
  } | null;
};

export type StudioChecks = {
  readonly checks: readonly ({
    readonly name: string;
    readonly state: "ok" | "limited" | "broken";
    readonly message: string;
  })[];
};

export type StudioCommentState = {
  readonly isResolved: boolean;
};

export type StudioDeletion = {
  /** The account’s name, or the person’s address, as it is shown. */
  readonly confirm: string;
};

export type StudioDeliveryList = {
  readonly items: readonly ({
    readonly id: string;
    readonly renderId: string;
    /** Without its query, which may hold a secret. */
    readonly url: string;
    readonly status: "pending" | "delivered" | "failed" | "refused";
    readonly attempts: number;
    readonly nextAttemptAt: string | null;
    readonly createdAt: string;
    readonly log: readonly ({
      readonly at: string;
      /** ms */
      readonly duration: number;
      readonly status: number | null;
      readonly error: string | null;
    })[];
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioDocumentLayout = {
  /** A template as it is posted. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Layer name → value. */
  readonly modifications?: Readonly<Record<string, unknown>>;
  /** The name of a size; `default` is its own canvas. */
  readonly size?: string;
  /** BCP 47; the language of the texts, if the template has it. */
  readonly lang?: string;
  /** In place of the template’s brand: `acme`, or `acme@2`. */
  readonly brand?: string;
};

export type StudioDocumentPreview = StudioDocumentLayout & {
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "svg" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
};

export type StudioDraft = {
  readonly revision: number;
  readonly baseVersion: number;
  /** Null when there is none: the document is that of the version. */
  readonly savedAt: string | null;
  /** Who did it; null = an API key, the command line, or somebody who is gone. */
  readonly savedBy: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** A template as it is posted. */
  readonly document: Readonly<Record<string, unknown>>;
  /** For an embedded editor: the brands and components that the document shows, by reference. */
  readonly materials?: {
    readonly brands: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly templates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
};

export type StudioDraftSave = {
  /** A template as it is posted. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly baseVersion?: number;
};

export type StudioDuplicate = {
  readonly name?: string;
};

export type StudioEmbedded = {
  readonly accountId: string;
  readonly user: {
    readonly id: string;
    readonly name: string | null;
  };
  readonly origin: string;
  readonly expires: string;
  readonly template: string | null;
  readonly blank: {
    readonly width: number;
    readonly height: number;
    readonly name: string;
  } | null;
  readonly rights: "all" | "texts-and-pictures";
  readonly locked: readonly string[];
  readonly save: "hand-back" | "draft" | "publish";
  readonly uploads: boolean;
};

export type StudioEmbedding = {
  /** Such as https://app.example.com. */
  readonly origins: readonly string[];
};

/** A sentence that says what was wrong and how to correct it, and a code for programs. */
export type StudioError = {
  readonly error: string;
  readonly code: string;
};

export type StudioFont = {
  readonly id: string;
  readonly family: string;
  readonly weight: number;
  readonly style: "normal" | "italic";
  readonly axes: Readonly<Record<string, {
    readonly min: number;
    readonly max: number;
  }>>;
};

export type StudioFontAddition = {
  readonly family: string;
};

/** Face → the code points that it has. */
export type StudioFontCoverage = Readonly<Record<string, string>>;

export type StudioFontFamilies = {
  readonly families: readonly ({
    readonly family: string;
    readonly own: boolean;
    /** ISO 15924. */
    readonly scripts: readonly string[];
    readonly faces: readonly ({
      /** For /fonts/faces/{id}. */
      readonly id: string;
      /** Of an upload. */
      readonly fontId: string | null;
      readonly weight: number;
      /** OS/2 usWidthClass, 1 to 9. */
      readonly width: number;
      readonly style: "normal" | "italic";
      readonly axes: Readonly<Record<string, {
        readonly min: number;
        readonly initial: number;
        readonly max: number;
      }>>;
      readonly isEmoji: boolean;
    })[];
  })[];
  /** CSS’s generic names → families. */
  readonly generic: Readonly<Record<string, string>>;
  /** Families that are not installed on this server, and what installs each. */
  readonly installable: readonly ({
    readonly family: string;
    readonly command: string;
  })[];
  /** Whether they can be added here: PLATEN_FONT_REGISTRY is set. */
  readonly canAdd: boolean;
};

export type StudioFontsAdded = {
  readonly fonts: readonly StudioFont[];
};

export type StudioImage = {
  readonly id: string;
  readonly url: string;
  readonly name: string | null;
  /** The folder that it is kept in; null = in none. */
  readonly folder: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly format: "png" | "jpeg" | "webp" | "gif" | "avif" | "svg" | "pdf";
  readonly size: number;
  readonly focus: {
    readonly x: number;
    readonly y: number;
  } | null;
  readonly createdAt: string;
};

export type StudioImageChange = {
  readonly name?: string | null;
  readonly focus?: {
    readonly x: number;
    readonly y: number;
  } | null;
  /** Made by moving something to it; null = out of all folders. */
  readonly folder?: string | null;
};

export type StudioImageList = {
  readonly items: readonly StudioImage[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
  readonly folders: readonly ({
    readonly name: string;
    readonly count: number;
  })[];
};

export type StudioImported = StudioTemplate & {
  readonly warnings: readonly string[];
};

export type StudioInvitation = {
  readonly id: string;
  /** The link, shown only once. */
  readonly url: string;
  readonly email: string | null;
  readonly role: "owner" | "editor" | "viewer";
  readonly expiresAt: string;
};

export type StudioInvite = {
  readonly email?: string | null;
  readonly role: "owner" | "editor" | "viewer";
};

export type StudioKeyList = {
  readonly items: readonly ({
    readonly id: string;
    readonly name: string | null;
    readonly kind: "live" | "test";
    readonly lastFour: string;
    readonly createdAt: string;
    /** Who did it; null = an API key, the command line, or somebody who is gone. */
    readonly createdBy: {
      readonly id: string;
      readonly name: string;
    } | null;
    readonly lastUsedAt: string | null;
    readonly revokedAt: string | null;
    /** Null = everything. */
    readonly scope: {
      readonly rights: readonly ("read" | "render" | "screenshot" | "manage-templates" | "manage-uploads" | "manage-renders" | "read-audit" | "manage-secrets" | "manage-account")[];
      readonly templates: readonly string[] | null;
    } | null;
    /** Null = never. */
    readonly expiresAt: string | null;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioKeyRequest = {
  readonly name: string;
  readonly kind: "live" | "test";
  /** What the key may do; absent: everything. */
  readonly scope?: {
    readonly rights: readonly ("read" | "render" | "screenshot" | "manage-templates" | "manage-uploads" | "manage-renders" | "read-audit" | "manage-secrets" | "manage-account")[];
    readonly templates: readonly string[] | null;
  } | null;
  /** Absent: never. */
  readonly expiresAt?: string | null;
};

export type StudioLink = {
  readonly kind: "setup" | "invitation" | "reset";
  readonly email: string | null;
  readonly account: {
    readonly id: string;
    readonly name: string | null;
  } | null;
  readonly role: "owner" | "editor" | "viewer" | null;
  /** Whether that address has a password, which is then asked for. */
  readonly isKnown: boolean;
  readonly expiresAt: string;
};

export type StudioLinkToken = {
  readonly token: string;
};

export type StudioLinkUse = {
  readonly token: string;
  readonly password: string;
  readonly email?: string;
  readonly name?: string;
};

export type StudioListedRender = {
  readonly id: string;
  readonly kind: "render" | "screenshot";
  readonly status: "queued" | "processing" | "done" | "error";
  readonly output: "png" | "jpeg" | "webp" | "avif" | "svg" | "pdf";
  readonly size: number | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly url: string | null;
  readonly template: {
    readonly id: string;
    readonly name: string | null;
    readonly version: number;
  } | null;
  /** The template, where it came with the request; its id is a digest of its content. */
  readonly inline: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** Of a screenshot: the page, without its query. */
  readonly page: string | null;
  /** Its values in short; null when there are none. */
  readonly values: string | null;
  /** The batch that it belongs to, and its row from 0 up. */
  readonly batch: {
    readonly id: string;
    readonly name: string | null;
    readonly row: number;
  } | null;
  readonly metadata: string | Readonly<Record<string, string | number | boolean | null>> | null;
  /** Warnings about the render: at most 20 sentences and 2 KiB. */
  readonly warnings: readonly string[];
};

export type StudioMe = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether an identity provider, or who runs the server, vouches for the address. */
  readonly emailVerified: boolean;
  readonly createdAt: string;
};

export type StudioMeChange = {
  readonly name: string;
  readonly email: string;
};

export type StudioMember = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: "owner" | "editor" | "viewer";
  readonly isYou: boolean;
  readonly since: string;
  readonly lastSeenAt: string | null;
  /** Null = may sign in. */
  readonly suspendedAt: string | null;
};

export type StudioMove = {
  /** Made by moving something to it; null = out of all folders. */
  readonly folder: string | null;
};

export type StudioNewKey = {
  readonly id: string;
  readonly name: string | null;
  readonly kind: "live" | "test";
  readonly lastFour: string;
  readonly createdAt: string;
  /** Who did it; null = an API key, the command line, or somebody who is gone. */
  readonly createdBy: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Null = everything. */
  readonly scope: {
    readonly rights: readonly ("read" | "render" | "screenshot" | "manage-templates" | "manage-uploads" | "manage-renders" | "read-audit" | "manage-secrets" | "manage-account")[];
    readonly templates: readonly string[] | null;
  } | null;
  /** Null = never. */
  readonly expiresAt: string | null;
  /** Shown only once. */
  readonly key: string;
};

export type StudioNewPasskey = {
  readonly token: string;
  /** As PublicKeyCredential.toJSON() writes it. */
  readonly credential: Readonly<Record<string, unknown>>;
  readonly name: string;
};

export type StudioNewReview = {
  readonly id: string;
  /** Null = the draft, as it is when somebody looks. */
  readonly version: number | null;
  readonly createdAt: string;
  readonly endsAt: string;
  /** The link, shown only once. */
  readonly url: string;
};

export type StudioNewTemplate = {
  /** A template as it is posted. */
  readonly document: Readonly<Record<string, unknown>>;
};

export type StudioNewVersion = {
  readonly version: number;
  readonly createdAt: string;
};

export type StudioOpenedFont = StudioFont & {
  /** The templates that use it; inDraft: only their draft does. */
  readonly usedBy: readonly ({
    readonly id: string;
    readonly name: string;
    readonly inDraft: boolean;
  })[];
};

export type StudioOpenedImage = StudioImage & {
  /** The templates that use it; inDraft: only their draft does. */
  readonly usedBy: readonly ({
    readonly id: string;
    readonly name: string;
    readonly inDraft: boolean;
  })[];
};

export type StudioOpenedReview = {
  readonly id: string;
  /** Null = the draft, as it is when somebody looks. */
  readonly version: number | null;
  readonly createdAt: string;
  readonly endsAt: string;
  /** Of the template. */
  readonly name: string;
  /** The version, or the revision of the draft, that is shown. */
  readonly revision: number;
  readonly pictures: readonly ({
    /** Null = the template’s own. */
    readonly size: string | null;
    /** Null = the template’s own. */
    readonly lang: string | null;
  })[];
  /** Pictures beyond those. */
  readonly more: number;
  /** The template’s own language, if it names one. */
  readonly ownLang: string | null;
  /** Whether it is a document with pages, of which the first is shown. */
  readonly hasPages: boolean;
  /** Why a draft cannot be drawn; null = it can. */
  readonly problem: string | null;
  /** Oldest first. */
  readonly comments: readonly StudioReviewComment[];
};

export type StudioOpenedTemplate = StudioTemplate & {
  /** A template as it is posted. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly draft: {
    readonly revision: number;
    readonly baseVersion: number;
    readonly savedAt: string;
    /** Who did it; null = an API key, the command line, or somebody who is gone. */
    readonly savedBy: {
      readonly id: string;
      readonly name: string;
    } | null;
  } | null;
  /** The brand and the components of which it uses an older version. */
  readonly newer: readonly ({
    readonly kind: "brand" | "template";
    readonly name: string;
    readonly title: string;
    readonly used: number;
    readonly newest: number;
  })[];
  /** Templates that have an older version of it as a component. */
  readonly outdatedUses: number;
};

export type StudioOutdatedUses = {
  readonly items: readonly ({
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly hasDraft: boolean;
    /** The version of the brand or the component that it uses; the oldest of several. */
    readonly used: number;
    /** The path of its picture. */
    readonly before: string;
    /** The path of its picture with the newest version. */
    readonly after: string;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
  /** The newest version of the brand or the component. */
  readonly newest: number;
  /** Of all pages. */
  readonly total: number;
};

export type StudioPasskey = {
  readonly id: string;
  readonly name: string;
  /** Where it can be used. */
  readonly host: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

export type StudioPasskeyAnswer = {
  readonly token: string;
  /** As PublicKeyCredential.toJSON() writes it. */
  readonly credential: Readonly<Record<string, unknown>>;
};

export type StudioPasskeyList = {
  readonly items: readonly StudioPasskey[];
};

export type StudioPasskeyName = {
  readonly name: string;
};

export type StudioPassword = {
  readonly password: string;
};

export type StudioPasswordChange = {
  /** Left out by somebody who has no password yet. */
  readonly current?: string;
  readonly password: string;
};

export type StudioPeople = {
  readonly people: readonly StudioMember[];
  readonly invitations: readonly ({
    readonly id: string;
    readonly email: string | null;
    readonly role: "owner" | "editor" | "viewer";
    readonly createdAt: string;
    readonly expiresAt: string;
    /** Who did it; null = an API key, the command line, or somebody who is gone. */
    readonly createdBy: {
      readonly id: string;
      readonly name: string;
    } | null;
  })[];
};

export type StudioProviderAnswer = {
  /** With which the provider sent the browser to /studio/oidc. */
  readonly query: string;
};

export type StudioProviderAsk = {
  /** Whether the provider must ask for the password anew. */
  readonly again?: boolean;
};

export type StudioProviderStart = {
  /** Where the browser is to go. */
  readonly url: string;
};

export type StudioPublish = {
  readonly note?: string | null;
  /** A newer version than the draft’s, which was seen. */
  readonly over?: number;
};

export type StudioPublished = {
  readonly version: number;
  readonly revision: number;
  readonly createdAt: string;
};

export type StudioRename = {
  readonly name: string;
};

export type StudioRender = StudioListedRender & {
  /** Null when they were too long to keep. */
  readonly modifications: Readonly<Record<string, unknown>> | null;
  /** The template that came with the request; null otherwise, and when it was too long to keep. */
  readonly document: Readonly<Record<string, unknown>> | null;
};

export type StudioRenderList = {
  readonly items: readonly StudioListedRender[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioRenderRequest = {
  /** Null = the newest, whenever. */
  readonly version?: number | null;
  /** Layer name → value. */
  readonly modifications?: Readonly<Record<string, unknown>>;
  /** The name of a size; `default` is its own canvas. */
  readonly size?: string;
  /** BCP 47; the language of the texts, if the template has it. */
  readonly lang?: string;
  /** In place of the template’s brand: `acme`, or `acme@2`. */
  readonly brand?: string;
  /** Default: "png". */
  readonly output?: "png" | "jpeg" | "webp" | "avif" | "svg" | "pdf";
  /** Device px per canvas px. Default: 1. */
  readonly scale?: number;
  /** Of JPEG, WebP and AVIF. Default: 80. */
  readonly quality?: number;
  /** Of pixels: small takes up to ten times as long, for a somewhat smaller file. Default: "fast". */
  readonly compression?: "fast" | "small";
  /** Of JPEG: 4:4:4 keeps the edges of coloured letters. Default: 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: "4:4:4" | "4:2:0";
  /** Of a document, from 1; without it, all pages in a PDF and the first in a picture. */
  readonly page?: number;
  /** false: all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean;
  /** Properties of a PDF, which take precedence over those of the template. */
  readonly pdf?: RequestedPdf;
};

export type StudioRestore = {
  readonly note?: string | null;
};

export type StudioRetired = {
  readonly retired: number;
};

export type StudioReviewComment = {
  readonly id: string;
  /** The comment that it answers; null = it begins a thread. */
  readonly answers: string | null;
  /** Null = somebody who is gone. */
  readonly by: string | null;
  /** Whether it is by a person of the account, not by a visitor. */
  readonly isMember: boolean;
  readonly text: string;
  /** Null = the template’s own. */
  readonly size: string | null;
  /** Null = the template’s own. */
  readonly lang: string | null;
  /** In ten thousandths of the picture’s sides; null = the whole picture. */
  readonly point: {
    readonly x: number;
    readonly y: number;
  } | null;
  /** Whether something else was shown when it was written. */
  readonly isEarlier: boolean;
  readonly createdAt: string;
  readonly resolvedAt: string | null;
};

export type StudioReviewList = {
  readonly items: readonly ({
    readonly id: string;
    /** Null = the draft, as it is when somebody looks. */
    readonly version: number | null;
    readonly createdAt: string;
    readonly endsAt: string;
    /** Who did it; null = an API key, the command line, or somebody who is gone. */
    readonly createdBy: {
      readonly id: string;
      readonly name: string;
    } | null;
    readonly comments: number;
    /** Threads that are not resolved. */
    readonly open: number;
  })[];
};

export type StudioReviewPicture = {
  readonly token: string;
  /** Null = the template’s own. Default: null. */
  readonly size?: string | null;
  /** Null = the template’s own. Default: null. */
  readonly lang?: string | null;
};

export type StudioReviewRemark = {
  readonly text: string;
  /** The comment that it answers. Default: null. */
  readonly answers?: string | null;
  /** Null = the template’s own. Default: null. */
  readonly size?: string | null;
  /** Null = the template’s own. Default: null. */
  readonly lang?: string | null;
  /** In ten thousandths of the picture’s sides; null = the whole picture. Default: null. */
  readonly point?: {
    readonly x: number;
    readonly y: number;
  } | null;
};

export type StudioReviewRequest = {
  /** Null = the draft, as it is at the time. */
  readonly version?: number | null;
  /** Default: 14. */
  readonly days?: number;
};

export type StudioReviewToken = {
  readonly token: string;
};

export type StudioRevision = {
  readonly revision: number;
};

export type StudioRole = {
  readonly role: "owner" | "editor" | "viewer";
};

export type StudioSavedDraft = {
  readonly revision: number;
  readonly savedAt: string;
};

export type StudioSecret = {
  readonly secret: string;
};

export type StudioSecretList = {
  readonly items: readonly ({
    readonly purpose: "signing" | "webhook";
    readonly lastFour: string;
    readonly createdAt: string;
    /** Older secrets that are still accepted. */
    readonly previous: number;
  })[];
};

export type StudioSession = {
  /** Null when nobody is signed in. */
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
  } | null;
  readonly accounts: readonly ({
    readonly id: string;
    readonly name: string | null;
    readonly role: "owner" | "editor" | "viewer";
    readonly plan: string;
  })[];
  /** Until when the password counts as typed. */
  readonly sudoUntil: string | null;
  /** Whether anybody can sign in at all. */
  readonly claimed: boolean;
  /** What is wrong with the address that the studio is used at. */
  readonly insecure: string | null;
  readonly minPassword: number;
  /** Why passkeys cannot be used at this address; null = they can. */
  readonly noPasskeys: string | null;
  /** The identity provider that one may sign in by. */
  readonly provider: {
    readonly name: string;
  } | null;
  /** How the person can show again that it is them. */
  readonly confirmBy: readonly ("password" | "passkey" | "provider")[];
};

export type StudioSessionList = {
  readonly items: readonly ({
    readonly id: string;
    readonly isCurrent: boolean;
    readonly createdAt: string;
    readonly lastUsedAt: string;
    readonly expiresAt: string;
    readonly address: string;
    readonly agent: string;
  })[];
};

export type StudioSettings = {
  readonly account: StudioAccount;
  readonly plan: {
    readonly name: string;
    readonly quota: number;
    readonly blocks: boolean;
  };
  readonly address: string;
  readonly insecure: string | null;
};

export type StudioSetup = {
  readonly token: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
};

export type StudioSign = {
  readonly extension: "png" | "jpg" | "jpeg" | "webp" | "avif" | "pdf";
  /** Null = the newest, whenever. */
  readonly version?: number | null;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly scale?: number;
  readonly quality?: number;
  readonly expires?: string | null;
};

export type StudioSignIn = {
  readonly email: string;
  readonly password: string;
};

export type StudioSignedUrl = {
  readonly url: string;
  readonly expires: string | null;
};

export type StudioSudo = {
  readonly sudoUntil: string;
};

export type StudioTemplate = {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine: "layers" | "html";
  readonly version: number;
  /** The folder that it is kept in; null = in none. */
  readonly folder: string | null;
  readonly hasDraft: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Who did it; null = an API key, the command line, or somebody who is gone. */
  readonly updatedBy: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** The path of its picture. */
  readonly thumbnail: string;
  /** The path of the picture of its draft. */
  readonly draftThumbnail: string | null;
};

export type StudioTemplateList = {
  readonly items: readonly StudioTemplate[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
  /** Templates of the account, whatever the filters. */
  readonly total: number;
  readonly sizes: readonly ({
    readonly width: number;
    readonly height: number;
    readonly count: number;
  })[];
  readonly folders: readonly ({
    readonly name: string;
    readonly count: number;
  })[];
};

export type StudioUndo = {
  readonly undoUntil: string;
};

export type StudioUsage = {
  readonly plan: string;
  readonly period: string;
  readonly quota: number;
  readonly blocks: boolean;
  readonly used: number;
  readonly reserved: number;
  readonly overage: number;
  readonly days: readonly ({
    readonly day: string;
    readonly count: number;
  })[];
  readonly templates: readonly ({
    readonly id: string;
    readonly name: string | null;
    readonly count: number;
  })[];
  /** Screenshots, and renders that are gone. */
  readonly other: number;
  /** Of images, fonts, versions of templates and drafts, now. */
  readonly storedBytes: number;
  /** Bytes of them that the plan allows; null = any number. */
  readonly storageLimit: number | null;
  /** What is stored now, in bytes, including what was deleted in the last day and can be restored. */
  readonly stored: {
    /** All but renders. */
    readonly bytes: number;
    /** Bytes that the plan allows; null = any number. */
    readonly limit: number | null;
    readonly images: {
      readonly count: number;
      readonly bytes: number;
    };
    readonly fonts: {
      readonly count: number;
      readonly bytes: number;
    };
    /** With their versions and drafts. */
    readonly templates: {
      readonly count: number;
      readonly bytes: number;
    };
    /** With their versions, also of deleted brands. */
    readonly brands: {
      readonly count: number;
      readonly bytes: number;
    };
    /** Those whose files are kept. */
    readonly renders: {
      readonly count: number;
      readonly bytes: number;
      /** Bytes that the plan allows; null = any number. */
      readonly limit: number | null;
    };
  };
};

export type StudioVersion = {
  readonly version: number;
  /** Names this version wherever a template is named. */
  readonly id: string;
  readonly createdAt: string;
  /** Who did it; null = an API key, the command line, or somebody who is gone. */
  readonly author: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly note: string | null;
  readonly thumbnail: string;
  /** A template as it is posted. */
  readonly document: Readonly<Record<string, unknown>>;
};

export type StudioVersionList = {
  readonly items: readonly ({
    readonly version: number;
    /** Names this version wherever a template is named. */
    readonly id: string;
    readonly createdAt: string;
    /** Who did it; null = an API key, the command line, or somebody who is gone. */
    readonly author: {
      readonly id: string;
      readonly name: string;
    } | null;
    readonly note: string | null;
    readonly thumbnail: string;
  })[];
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type StudioVisitorsComment = StudioReviewRemark & {
  readonly token: string;
  readonly name: string;
};

export type TableCell = string | CellStyle & {
  /** The value of an entry that it shows; in a header or footer, of `values`. */
  readonly name?: string;
  /** Default: "". */
  readonly text?: string;
  /** The number of the row instead of `text`. */
  readonly counter?: "row";
  /** A number made of others: of values of the entry, or of all entries in a header or footer, of the group in its rows, of those so far in what is carried. A cell that has a `name`, too, gives it to other calculations. */
  readonly calculate?: {
    /** What is added up: a name, or several. */
    readonly sum: string | number | readonly (string | number)[];
    /** What is taken off. */
    readonly less?: string | number | readonly (string | number)[];
    /** What the sum is multiplied by, such as a rate. */
    readonly times?: string | number | readonly (string | number)[];
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    readonly average: string;
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    readonly multiply: readonly (string | number)[];
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    /** What is added up from the first entry to this one. */
    readonly running: string | number | readonly (string | number)[];
    /** What is taken off. */
    readonly less?: string | number | readonly (string | number)[];
    /** What is there before the first entry. */
    readonly start?: string | number;
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | "count";
  readonly format?: "number" | "currency" | "percent" | "date" | "list" | NumberFormat | CurrencyFormat | PercentFormat | UnitFormat | DateFormat | ListFormat | PluralFormat | null;
  /** The total of `pdf.invoice` that the cell shows: another amount in the XML is an error. */
  readonly total?: "LineTotalAmount" | "TaxBasisTotalAmount" | "TaxTotalAmount" | "GrandTotalAmount" | "DuePayableAmount";
  /** Instead of `text`: texts and values of the entry, each with a style of its own. */
  readonly spans?: readonly CellSpan[] | null;
  /** As of a text layer. */
  readonly markup?: "none" | "markdown";
  /** A hyperlink of what it shows, in PDF. */
  readonly link?: string | {
    readonly name: string;
  } | null;
  readonly image?: CellImage | null;
  readonly code?: CellCode | null;
  /** In a group’s header: is written after the text where the header is shown again, as the group goes on: " (continued)". */
  readonly continued?: string;
  /** Is repeated from the end of the text to the end of the cell: "." leads to a page number. */
  readonly leader?: string;
  /** Default: 1. */
  readonly columnSpan?: number;
  /** Rows of its header, footer or entry. Default: 1. */
  readonly rowSpan?: number;
  /** Without it, the cell is empty. Default: null. */
  readonly when?: "first" | "last" | "odd" | "even" | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | {
    readonly is: "set" | "empty";
  }>> | null;
};

export type TableColumn = ColumnWidth | CellStyle & {
  /** Default: "hug". */
  readonly width?: ColumnWidth;
};

/** Rows of cells in columns, of which a list may have many thousands. */
export type TableLayer = LayerProperties & {
  readonly type: "table";
  /** Default: "fill". */
  readonly width?: Dimension;
  /** Default: "hug". */
  readonly height?: Dimension;
  readonly columns: readonly TableColumn[];
  /** CSS direction: `rtl` has the first column at the right, where cells start. null = that of the frames around it, or else of the language. Default: null. */
  readonly direction?: "ltr" | "rtl" | null;
  /** Its rows are shown again on each page. Default: []. */
  readonly header?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** The cells of each entry of the body: a row, or several that stay together. Default: []. */
  readonly row?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** Default: []. */
  readonly footer?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** The value by which entries that follow each other are a group, whether a cell shows it or not. Default: null. */
  readonly groupBy?: string | null;
  /** Above each group; a `name` shows the value of its first entry. Default: []. */
  readonly groupHeader?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** Below each group, such as its sub-total. Default: []. */
  readonly groupFooter?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** Whether it is shown again where the group goes on on a page. Default: false. */
  readonly repeatGroupHeader?: boolean;
  /** avoid: a group stays on one page, if it fits. page: each begins on a page of its own. Default: "auto". */
  readonly groupBreak?: "auto" | "avoid" | "page";
  /** At the foot of each page from which the table goes on: what is calculated so far, carried forward. Default: []. */
  readonly carryFooter?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** At the head of the page after it: the same, brought forward. Default: []. */
  readonly carryHeader?: readonly TableCell[] | readonly (readonly TableCell[] | TableRow)[];
  /** Entries after which no page should end: {"kind": "title"}. At the end of a group, its footer stays. Default: null. */
  readonly keepWithNext?: "first" | "last" | "odd" | "even" | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | {
    readonly is: "set" | "empty";
  }>> | null;
  /** The entries of the body, which a list as a modification replaces: {"lines": [{"item": "Hinge"}]}. Default: []. */
  readonly rows?: readonly Readonly<Record<string, TableValue>>[];
  /** A table of contents: instead of `rows`, the headings of the document up to this level, with the values `text`, `level` and `page`. Each row is a link to its heading. Default: null. */
  readonly contents?: number | null;
  /** Sums of another table instead of `rows`: an entry for each value of `by` among its entries, about which the cells of `row` calculate. Default: null. */
  readonly totals?: {
    /** The name of another table. */
    readonly of: string;
    readonly by: string | readonly string[];
  } | null;
  /** What named cells of header and footer show, and calculations take that entries do not have. Default: {}. */
  readonly values?: Readonly<Record<string, TableValue>>;
  /** The text of a body without rows. Default: null. */
  readonly empty?: string | null;
  /** The style of all cells. Default: {}. */
  readonly cell?: CellStyle;
  /** Default: {}. */
  readonly headerCell?: CellStyle;
  /** Default: {}. */
  readonly footerCell?: CellStyle;
  /** Default: {}. */
  readonly groupHeaderCell?: CellStyle;
  /** Default: {}. */
  readonly groupFooterCell?: CellStyle;
  /** Default: {}. */
  readonly carryCell?: CellStyle;
  /** The background of every second row of the body. Default: null. */
  readonly zebra?: Fill | null;
  /** The line below each row of the body. Default: null. */
  readonly rule?: Border | null;
  /** The line below the header. Default: null. */
  readonly headerRule?: Border | null;
  /** The line above the footer. Default: null. */
  readonly footerRule?: Border | null;
  /** The line between two columns. Default: null. */
  readonly columnRule?: Border | null;
  /** Default: null. */
  readonly border?: Border | null;
  /** Default: 0. */
  readonly borderRadius?: CornerRadii;
  /** Default: null. */
  readonly background?: Fill | null;
  /** Whether the header is on each page. Default: true. */
  readonly repeatHeader?: boolean;
  /** Default: false. */
  readonly repeatFooter?: boolean;
  /** Takes no room when it has no entries. Default: false. */
  readonly hideWhenEmpty?: boolean;
  /** CSS: whether a frame that a page cuts has its border, padding and corners at the cut, too. Default: "slice". */
  readonly boxDecorationBreak?: "slice" | "clone";
  /** Whether a page may end within a row. Default: false. */
  readonly splitRows?: boolean;
  /** Where its words need more than its width. `shrinkTo`: columns, letters and pictures get smaller, down to this font size, with a warning. `keyColumns`: in what flows over pages, the columns are divided among sheets, each with so many of the first ones again: all rows with some columns, then, from a new page on, all rows with the next. Default: null. */
  readonly wide?: {
    readonly shrinkTo: FontSize;
  } | {
    readonly keyColumns: number;
  } | null;
};

export type TableRow = {
  readonly cells: readonly TableCell[];
  /** Without it, the row is left out. Default: null. */
  readonly when?: "first" | "last" | "odd" | "even" | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | {
    readonly is: "set" | "empty";
  }>> | null;
  /** Left out when its cells that have a `name` or `calculate` are all empty. Default: false. */
  readonly hideWhenEmpty?: boolean;
  /** In a header or footer, of a group too: is there once for each value of this name, such as a rate, and what it calculates is about the entries that have it. */
  readonly by?: string | readonly string[];
};

/** What a cell shows, and its own styles: {"value": -4, "color": "#c00"}. */
export type TableValue = string | number | boolean | null | CellStyle & {
  /** Default: null. */
  readonly value?: string | number | boolean | null;
};

/** Told apart by `engine`. */
export type Template = LayersTemplate | HtmlTemplate;

export type TemplateList = {
  readonly templates: readonly TemplateSummary[];
  /** Send it as `after` to get the next page; absent on the last one. */
  readonly next?: string;
};

export type TemplateParameter = {
  /** The name of the layer. */
  readonly layer: string;
  /** What a form calls it; else the layer’s name. */
  readonly label?: string;
  /** A hint below its field. */
  readonly help?: string;
  /** A render must give it a value; what the template shows is only an example. */
  readonly required?: boolean;
  /** Forms do not offer it; the API takes it all the same. */
  readonly hidden?: boolean;
  /** What a form asks for. Default: `text` for texts and codes, `image`, `color` for shapes, `boolean` (shown or not) for frames. */
  readonly kind?: "text" | "paragraph" | "number" | "url" | "image" | "color" | "boolean";
  /** Of a text, in characters. */
  readonly maxLength?: number;
  /** Of a number. */
  readonly min?: number;
  readonly max?: number;
  /** The only values that it may have. */
  readonly choices?: readonly string[];
};

/** As `Pdf`; title, author and subject may be a list of texts and values: [{"name": "number"}]. */
export type TemplatePdf = {
  readonly title?: string | readonly ValueSpan[];
  readonly author?: string | readonly ValueSpan[];
  readonly subject?: string | readonly ValueSpan[];
  readonly keywords?: readonly string[];
  readonly language?: string;
  /** How readers number the pages: `prefix`, then the number in `style` (null = none) from `start`. */
  readonly pageLabel?: {
    /** Default: "decimal". */
    readonly style?: "decimal" | "roman" | "letters" | null;
    /** Default: "". */
    readonly prefix?: string;
    /** Default: 1. */
    readonly start?: number;
  };
  /** How a reader should open the file; readers may ignore it. */
  readonly viewer?: {
    readonly displayTitle?: boolean;
    readonly fitWindow?: boolean;
    readonly centerWindow?: boolean;
    readonly hideToolbar?: boolean;
    readonly hideMenubar?: boolean;
    readonly printScaling?: "none" | "default";
  };
  /** The level of PDF/A (archives) and PDF/UA (accessibility) that the file conforms to, or is refused: "A-3b", ["A-3b", "UA-1"]. */
  readonly conforms?: "A-2b" | "A-2u" | "A-3b" | "A-4" | "A-4f" | "UA-1" | "UA-2" | readonly ("A-2b" | "A-2u" | "A-3b" | "A-4" | "A-4f" | "UA-1" | "UA-2")[];
  readonly invoice?: PdfInvoice;
  readonly attachments?: readonly PdfAttachment[];
  /** How far what lies beyond the canvas is printed, px or such as "3mm", to be cut off: the canvas is the trim box of the page. */
  readonly bleed?: number | string;
  /** Lines beyond the bleed that show where to cut. */
  readonly cropMarks?: boolean;
  readonly outputIntent?: PdfOutputIntent;
  /** The most pixels to the inch that pictures keep, of what their box shows; 300 by default. */
  readonly density?: number;
};

export type TemplateSize = {
  readonly width: number | string;
  readonly height: number | string;
  /** Modifications by the names of layers, as of a request: {"title": {"fontSize": 96}}. Default: {}. */
  readonly changes?: Readonly<Record<string, unknown>>;
};

export type TemplateSummary = {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine: "layers" | "html";
};

export type TextLayer = LayerProperties & {
  readonly type: "text";
  /** Default: "hug". */
  readonly width?: Dimension;
  /** Default: "hug". */
  readonly height?: Dimension;
  /** Default: "". */
  readonly text?: string;
  /** How the number, date or list in `text` is written in the language of the layer: `currency`, or an object. An empty text stays empty. Default: null. */
  readonly format?: "number" | "currency" | "percent" | "date" | "list" | NumberFormat | CurrencyFormat | PercentFormat | UnitFormat | DateFormat | ListFormat | PluralFormat | null;
  /** Sets `text` to a sum, an average or a count of a list, unless the request sets it. Default: null. */
  readonly calculate?: {
    /** What is added up: a name, or several. */
    readonly sum: string | number | readonly (string | number)[];
    /** What is taken off. */
    readonly less?: string | number | readonly (string | number)[];
    /** What the sum is multiplied by, such as a rate. */
    readonly times?: string | number | readonly (string | number)[];
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    readonly average: string;
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    readonly multiply: readonly (string | number)[];
    /** Digits after the point; without it, all are kept. */
    readonly round?: number;
    /** What becomes of a half. half-up: away from zero. half-even: to the even digit. Default: "half-up". */
    readonly rounding?: "half-up" | "half-even";
  } | {
    /** A list: "lines". */
    readonly count: string;
  } | null;
  /** Instead of `text`; setting `text` removes them. Default: null. */
  readonly spans?: readonly Span[] | null;
  /** markdown: `text` (not `spans`) is read as inline CommonMark: **strong**, *emphasis*, `code`, [link](https://…), \escapes, and ~~strikethrough~~; and [words]{color=red}, as Pandoc has spans. Default: "none". */
  readonly markup?: "none" | "markdown";
  /** Default: "Inter". */
  readonly fontFamily?: string | readonly string[];
  /** Default: 400. */
  readonly fontWeight?: number;
  /** Default: "normal". */
  readonly fontStyle?: "normal" | "italic";
  /** CSS font-synthesis: whether letters of a family without a bold face (for weights from 600 on) are made bold, and those of one without an italic slanted. Default: "weight style". */
  readonly fontSynthesis?: "none" | "weight" | "style" | "weight style";
  /** Default: 16. */
  readonly fontSize?: FontSize;
  /** A multiple of the font size. A span cannot make its line lower than the layer’s line height. Default: 1.2. */
  readonly lineHeight?: number;
  /** px. Default: 0. */
  readonly letterSpacing?: number | string;
  /** px, added to each space. Default: 0. */
  readonly wordSpacing?: number | string;
  /** Default: "none". */
  readonly textTransform?: "none" | "uppercase" | "lowercase" | "capitalize";
  /** Default: "none". */
  readonly textDecoration?: "none" | "underline" | "line-through" | "overline" | readonly ("underline" | "line-through" | "overline")[];
  /** null = as the letters are filled. Default: null. */
  readonly textDecorationColor?: Fill | null;
  /** px; null = as the font says. Default: null. */
  readonly textDecorationThickness?: number | string | null;
  /** Superscript or subscript, scaled and shifted by the font’s own metrics; the line keeps its height. For the glyphs that a font draws for it: `fontFeatures` {"sups": 1} or {"subs": 1}. Default: "normal". */
  readonly fontVariantPosition?: "normal" | "super" | "sub";
  /** CSS: capitals of other sizes, of the font or made from its capitals. `fontFeatures` wins over these words. Default: "normal". */
  readonly fontVariantCaps?: "normal" | "small-caps" | "all-small-caps" | "petite-caps" | "all-petite-caps" | "unicase" | "titling-caps";
  /** CSS: forms of digits and fractions. Default: "normal". */
  readonly fontVariantNumeric?: "normal" | "lining-nums" | "oldstyle-nums" | "proportional-nums" | "tabular-nums" | "diagonal-fractions" | "stacked-fractions" | "ordinal" | "slashed-zero" | readonly ("lining-nums" | "oldstyle-nums" | "proportional-nums" | "tabular-nums" | "diagonal-fractions" | "stacked-fractions" | "ordinal" | "slashed-zero")[];
  /** CSS: which ligatures are used. Default: "normal". */
  readonly fontVariantLigatures?: "normal" | "none" | "common-ligatures" | "no-common-ligatures" | "discretionary-ligatures" | "no-discretionary-ligatures" | "historical-ligatures" | "no-historical-ligatures" | "contextual" | "no-contextual" | readonly ("common-ligatures" | "no-common-ligatures" | "discretionary-ligatures" | "no-discretionary-ligatures" | "historical-ligatures" | "no-historical-ligatures" | "contextual" | "no-contextual")[];
  /** OpenType features, tag → value: {"tnum": 1}; at most 64. Default: {}. */
  readonly fontFeatures?: Readonly<Record<string, number>>;
  /** Axes of a variable font, tag → value: {"wght": 450}; at most 64. Default: {}. */
  readonly fontVariations?: Readonly<Record<string, number>>;
  /** Default: "#000000". */
  readonly color?: Fill;
  /** Outlines the letters, under their fill. Default: null. */
  readonly stroke?: Fill | null;
  /** Default: 1. */
  readonly strokeWidth?: number | string;
  /** BCP 47: local forms, case rules, line breaks, formats; null = that of the template. Default: null. */
  readonly lang?: string | null;
  /** Default: "start". */
  readonly align?: "start" | "end" | "left" | "right" | "center" | "justify";
  /** Default: "top". */
  readonly verticalAlign?: "top" | "middle" | "bottom";
  /** Default: "auto". */
  readonly direction?: "auto" | "ltr" | "rtl";
  /** CSS writing-mode. In vertical text `align` is along the lines, from the top, and `verticalAlign` across them: `top` is where the first line stands, the right of vertical-rl. A text on a `textPath` is never vertical. Default: "horizontal-tb". */
  readonly writingMode?: "horizontal-tb" | "vertical-rl" | "vertical-lr";
  /** CSS text-orientation, of vertical lines. mixed: Han, kana, Hangul and emoji stand upright, other letters are turned. upright: all stand. sideways: all are turned. Default: "mixed". */
  readonly textOrientation?: "mixed" | "upright" | "sideways";
  /** Sets the text on a circle about the middle of its box, which hugs the circle. Lines do not wrap. Default: null. */
  readonly textPath?: {
    readonly type: "arc";
    /** px, of the first line’s baseline. */
    readonly radius: number | string;
    /** Where `align` has its place: degrees clockwise from the top; inside, from the bottom. Default: 0. */
    readonly angle?: number;
    /** outside: heads outwards. inside: heads towards the centre. Default: "outside". */
    readonly side?: "outside" | "inside";
  } | null;
  /** balance: the lines of a paragraph (of up to 50) about as long as one another. pretty: no single word on the last line. Never more lines than `wrap` makes. Default: "wrap". */
  readonly textWrap?: "wrap" | "balance" | "pretty";
  /** manual: a line may end at a soft hyphen (U+00AD), which is then shown. auto: also where the patterns of `lang` allow it. Default: "manual". */
  readonly hyphens?: "none" | "manual" | "auto";
  /** CSS text-indent, px: moves the first line in from its start; negative, out. Default: 0. */
  readonly textIndent?: number | string;
  /** Between paragraphs, which line breaks of the text end, px; as margins of paragraphs in CSS. Default: 0. */
  readonly paragraphSpacing?: number | string;
  /** CSS list-style-type: makes each paragraph an item of a list, with a sign or its number before it, in the style of its first words. An empty line is none, and U+2028 begins a line of the same item. A text on a `textPath` is no list. Default: "none". */
  readonly listStyle?: "none" | "disc" | "circle" | "square" | "decimal" | "decimal-leading-zero" | "lower-alpha" | "upper-alpha" | "lower-roman" | "upper-roman";
  /** Of the lines of a list from its start, px; null = twice the font size. Markers end there. Default: null. */
  readonly listIndent?: number | string | null;
  /** CSS line-break: where Chinese and Japanese lines may end. loose: also before small kana and iteration marks. strict: as few places as possible. Default: "auto". */
  readonly lineBreak?: "auto" | "loose" | "normal" | "strict";
  /** CSS word-break. break-all: a line may end between any two letters. keep-all: never inside a word of Chinese, Japanese or Korean. Default: "normal". */
  readonly wordBreak?: "normal" | "break-all" | "keep-all";
  /** CSS overflow-wrap, of a word that is wider than its line. break-word: it is broken. anywhere: also where the width is that of the content. normal: it sticks out. Default: "break-word". */
  readonly overflowWrap?: "normal" | "break-word" | "anywhere";
  /** Behind each line of text. Default: null. */
  readonly background?: string | {
    readonly color: Fill;
    /** Default: 0. */
    readonly padding?: EdgeLengths;
    /** Default: 0. */
    readonly borderRadius?: CornerRadii;
  } | null;
  /** Default: null. */
  readonly maxLines?: number | null;
  /** What becomes of text beyond `maxLines` or a fixed height; of vertical text, a fixed width. An ellipsis has the layer’s own style, whatever the spans before it. Default: "visible". */
  readonly overflow?: "visible" | "clip" | "ellipsis";
  /** CSS: the fewest lines before a page of a document ends. Default: 2. */
  readonly orphans?: number;
  /** CSS: the fewest lines after it. Default: 2. */
  readonly widows?: number;
  /** The level of a heading, which the outline of a PDF lists; `counter` can repeat it on each page. Default: null. */
  readonly heading?: number | null;
  /** Takes no room when its text is empty or all white space. Default: false. */
  readonly hideWhenEmpty?: boolean;
  /** Shrinks the font until the text fits its box and `maxLines`, down to `min`; or grows it until it fills them, up to `max`. With `maxLines` 1, a text is fitted to the width. Default: null. */
  readonly autoFit?: {
    /** Default: 8. */
    readonly min?: FontSize;
    /** Grows a text that has room, up to this size; null = not beyond `fontSize`. Default: null. */
    readonly max?: FontSize | null;
  } | null;
  /** A text style of the brand: "$headline". */
  readonly textStyle?: string;
};

/** Properties of a text layer, as of a span. */
export type TextStyle = {
  readonly fontFamily?: string | readonly string[];
  readonly fontWeight?: number;
  readonly fontStyle?: "normal" | "italic";
  /** CSS font-synthesis: whether letters of a family without a bold face (for weights from 600 on) are made bold, and those of one without an italic slanted. */
  readonly fontSynthesis?: "none" | "weight" | "style" | "weight style";
  readonly fontSize?: FontSize;
  /** A multiple of the font size. A span cannot make its line lower than the layer’s line height. */
  readonly lineHeight?: number;
  /** px */
  readonly letterSpacing?: number | string;
  /** px, added to each space */
  readonly wordSpacing?: number | string;
  readonly textTransform?: "none" | "uppercase" | "lowercase" | "capitalize";
  readonly textDecoration?: "none" | "underline" | "line-through" | "overline" | readonly ("underline" | "line-through" | "overline")[];
  /** null = as the letters are filled. */
  readonly textDecorationColor?: Fill | null;
  /** px; null = as the font says. */
  readonly textDecorationThickness?: number | string | null;
  /** Superscript or subscript, scaled and shifted by the font’s own metrics; the line keeps its height. For the glyphs that a font draws for it: `fontFeatures` {"sups": 1} or {"subs": 1}. */
  readonly fontVariantPosition?: "normal" | "super" | "sub";
  /** CSS: capitals of other sizes, of the font or made from its capitals. `fontFeatures` wins over these words. */
  readonly fontVariantCaps?: "normal" | "small-caps" | "all-small-caps" | "petite-caps" | "all-petite-caps" | "unicase" | "titling-caps";
  /** CSS: forms of digits and fractions. */
  readonly fontVariantNumeric?: "normal" | "lining-nums" | "oldstyle-nums" | "proportional-nums" | "tabular-nums" | "diagonal-fractions" | "stacked-fractions" | "ordinal" | "slashed-zero" | readonly ("lining-nums" | "oldstyle-nums" | "proportional-nums" | "tabular-nums" | "diagonal-fractions" | "stacked-fractions" | "ordinal" | "slashed-zero")[];
  /** CSS: which ligatures are used. */
  readonly fontVariantLigatures?: "normal" | "none" | "common-ligatures" | "no-common-ligatures" | "discretionary-ligatures" | "no-discretionary-ligatures" | "historical-ligatures" | "no-historical-ligatures" | "contextual" | "no-contextual" | readonly ("common-ligatures" | "no-common-ligatures" | "discretionary-ligatures" | "no-discretionary-ligatures" | "historical-ligatures" | "no-historical-ligatures" | "contextual" | "no-contextual")[];
  /** OpenType features, tag → value: {"tnum": 1}; at most 64. */
  readonly fontFeatures?: Readonly<Record<string, number>>;
  /** Axes of a variable font, tag → value: {"wght": 450}; at most 64. */
  readonly fontVariations?: Readonly<Record<string, number>>;
  readonly color?: Fill;
  /** Outlines the letters, under their fill. */
  readonly stroke?: Fill | null;
  readonly strokeWidth?: number | string;
  /** BCP 47: local forms, case rules, line breaks, formats; null = that of the template. */
  readonly lang?: string | null;
};

/** Px, a percentage, a share of what is left (`1fr`), `min-content`, `max-content`, `fit-content(200px)`, `minmax(120px, 1fr)`, or `hug`: CSS `auto`, as large as what lies in it; `hug` tracks share what no `fr` takes. */
export type Track = Length | string;

/** A `Track`, or several: `repeat(3, 1fr)`; `repeat(auto-fill, minmax(120px, 1fr))`, as many as there is room for; `auto-fit`, the same without those that stay empty. */
export type Tracks = Length | string;

/** 12.5 → 12.5 kg */
export type UnitFormat = {
  readonly type: "unit";
  /** Default: null. */
  readonly minimumFractionDigits?: number | null;
  /** Rounded half away from zero; null = as is usual. Default: null. */
  readonly maximumFractionDigits?: number | null;
  /** Default: true. */
  readonly useGrouping?: boolean;
  /** Default: "auto". */
  readonly signDisplay?: "auto" | "always" | "exceptZero" | "negative" | "never";
  /** As in Intl: `kilogram`, `kilometer-per-hour`. */
  readonly unit: string;
  /** Default: "short". */
  readonly unitDisplay?: "short" | "narrow" | "long";
};

export type UpdateUsesRequest = {
  /** Ids, as tpl_…, or as tpl_…@4 to be refused when version 4 is no longer its newest; "all" = the next 100 that use an older version. */
  readonly templates: "all" | readonly string[];
  /** With "all": `next` of the previous answer. */
  readonly after?: string | null;
  /** The version to use; refused when it is no longer the newest. */
  readonly version?: number | null;
};

export type UpdatedUses = {
  /** The newest version of the brand or the component. */
  readonly newest: number;
  /** One for each template: its new version, or its error. */
  readonly results: readonly ({
    readonly id: string;
    /** The template’s new version. */
    readonly version: number;
  } | {
    readonly id: string;
    readonly error: string;
  })[];
  readonly count: number;
  readonly ok: number;
  /** Send it as `after` to get the next page; null on the last one. */
  readonly next: string | null;
};

export type Usage = {
  readonly plan: string;
  /** A calendar month in UTC. */
  readonly period: string;
  readonly quota: number;
  readonly used: number;
  /** Units beyond the quota. */
  readonly overage: number;
  /** What is stored now, in bytes, including what was deleted in the last day and can be restored. */
  readonly stored: {
    /** All but renders. */
    readonly bytes: number;
    /** Bytes that the plan allows; null = any number. */
    readonly limit: number | null;
    readonly images: {
      readonly count: number;
      readonly bytes: number;
    };
    readonly fonts: {
      readonly count: number;
      readonly bytes: number;
    };
    /** With their versions and drafts. */
    readonly templates: {
      readonly count: number;
      readonly bytes: number;
    };
    /** With their versions, also of deleted brands. */
    readonly brands: {
      readonly count: number;
      readonly bytes: number;
    };
    /** Those whose files are kept. */
    readonly renders: {
      readonly count: number;
      readonly bytes: number;
      /** Bytes that the plan allows; null = any number. */
      readonly limit: number | null;
    };
  };
};

/** A text, or a value: {"name": "number"}. */
export type ValueSpan = {
  /** Default: "". */
  readonly text?: string;
  /** Shows the value that the request, or another layer, has by this name; `text` stands where there is none. */
  readonly name?: string;
  /** How the value is written. */
  readonly format?: "number" | "currency" | "percent" | "date" | "list" | NumberFormat | CurrencyFormat | PercentFormat | UnitFormat | DateFormat | ListFormat | PluralFormat | null;
};

export type VersionList = {
  readonly versions: readonly ({
    readonly version: number;
    readonly created_at: string;
  })[];
  /** Send it as `after` to get the next page; absent on the last one. */
  readonly next?: string;
};

/** Px, a percentage of the frame around, or a size by content. */
export type WidthLimit = Length | string | "min-content" | "max-content" | "fit-content";

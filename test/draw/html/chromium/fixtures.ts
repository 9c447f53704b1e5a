// Tables in html, as Chromium has laid them out once, which is recorded, and as ours does on every test run.

/** px */
export const CANVAS = { width: 400, height: 500 };
/** Lines have a height in px: Chromium rounds `normal` to whole pixels, and satori does not. */
export const CSS = 'body{margin:0;font:16px/20px Inter}th{font-weight:400}';

const words = 'Some words that are long enough to be broken into lines of a cell';

export const FIXTURES: Readonly<Record<string, string>> = {
  'two columns': '<table><tr><td>a<td>longer words<tr><td>some<td>b</table>',
  'wider than its place': `<table><tr><td>${words}<td>short<tr><td>one<td>${words}</table>`,
  'the whole width': '<table style="width:100%"><tr><td>a<td>longer words<td>c</table>',
  'a width in px': '<table style="width:250px"><tr><td>Head<td>of<tr><td>a<td>longer words</table>',
  'a width that is too small': '<table style="width:20px"><tr><td>unbreakable<td>words here</table>',
  'columns in px': '<table style="width:300px"><tr><td style="width:50px">a<td>b<td style="width:80px">c</table>',
  'columns in percent': '<table style="width:300px"><tr><td style="width:50%">a<td>b<td>longer</table>',
  'percent without a width': '<table><tr><td style="width:20%">twenty<td>the rest of it</table>',
  'percent, px and auto':
    '<table style="width:360px"><tr><td style="width:25%">a<td style="width:60px">b<td>ccc<td>dddd dddd</table>',
  'more percent than there is':
    '<table style="width:300px"><tr><td style="width:70%">a<td style="width:60%">b<td>c</table>',
  'columns that are described':
    '<table style="width:300px"><col style="width:100px"><col span=2 style="width:20%"><col><tr><td>a<td>b<td>c<td>d</table>',
  'a group of columns':
    '<table><colgroup span=2 style="width:70px"></colgroup><colgroup><col style="width:30px"></colgroup><tr><td>a<td>b<td>c</table>',
  'spacing of two kinds':
    '<table style="border-spacing:12px 4px;border:3px solid;padding:5px 7px"><tr><td>a<td>b<tr><td>c<td>d</table>',
  'a cell over two columns': '<table><tr><td colspan=2>wider than both of those below<tr><td>a<td>bb</table>',
  'cells over columns of all kinds':
    '<table style="width:350px"><tr><td colspan=3>three of them<td>d<tr><td>a<td colspan=2>two together here<td>d<tr><td>a<td style="width:40px">b<td>c<td>d</table>',
  'a cell over two rows': '<table><tr><td rowspan=2>a<br>b<br>c<br>d<td>one<tr><td>two<tr><td>x<td>y</table>',
  'cells over rows that overlap':
    '<table><tr><td rowspan=2>a<br>b<br>c<td>1<td>1<tr><td rowspan=2>2<br>2<br>2<br>2<td>2<tr><td>3<td>3</table>',
  'a cell to the end of its section': '<table><tbody><tr><td rowspan=0>a<td>1<tr><td>2<tbody><tr><td>b<td>3</table>',
  'heads and feet out of order':
    '<table><tfoot><tr><td>foot<td>f<tbody><tr><td>body<td>b<thead><tr><th>head<th>h</table>',
  'alignment in cells':
    '<table><tr style="height:60px"><td style="vertical-align:top"><div>top</div><td><div>middle</div><td style="vertical-align:bottom"><div>bottom</div><td style="vertical-align:baseline"><div>base</div><td style="vertical-align:baseline;font-size:30px;line-height:40px"><div>base</div></table>',
  'baselines in a row':
    '<table><tr style="vertical-align:baseline"><td style="padding-top:10px"><div>a</div><td style="font-size:32px;line-height:36px"><div>b</div><td><div>c<br>d</div></table>',
  'heights of rows and cells':
    '<table><tr style="height:40px"><td>a<td style="height:50px">b<tr><td>c<td>d<tr><td style="height:10px">e<td>f</table>',
  'a height of the table':
    '<table style="height:200px"><tr><td>a<td>b<tr style="height:40px"><td>c<td>d<tr><td>e<br>e<td>f</table>',
  'padding and borders':
    '<table style="border:2px solid"><tr><td style="padding:10px 4px;border:3px solid">a<td style="padding:0">b</table>',
  'boxes measured to their borders':
    '<style>*{box-sizing:border-box}td{padding:8px;border:1px solid}</style><table><tr><td style="width:100px;height:60px">a<td>b</table>',
  'collapsed borders':
    '<style>table{border-collapse:collapse}td{border:1px solid;padding:4px 6px}</style><table><tr><td><div>a</div><td><div>bb</div><tr><td><div>ccc</div><td><div>d</div></table>',
  'collapsed borders of several widths':
    '<style>table{border-collapse:collapse;border:6px solid}td{border:2px solid;padding:4px}</style><table><tr><td style="border-right-width:8px"><div>a</div><td><div>bb</div><tr><td><div>ccc</div><td style="border-top:4px solid"><div>d</div></table>',
  'collapsed borders of rows':
    '<style>table{border-collapse:collapse;width:300px}tr{border-bottom:1px solid}thead{border-bottom:4px solid}td,th{padding:6px}</style><table><thead><tr><th><div>Item</div><th><div>Price</div><tbody><tr><td><div>A</div><td><div>1</div><tr><td><div>B</div><td><div>2</div></table>',
  'a fixed layout':
    '<table style="table-layout:fixed;width:300px"><tr><td style="width:100px">a<td>b is longer than that<td>c<tr><td style="width:200px">d<td>e<td>f</table>',
  'a fixed layout with columns':
    '<table style="table-layout:fixed;width:300px"><col style="width:30%"><col><col style="width:60px"><tr><td>a<td>b<td>c</table>',
  'a fixed layout that is full':
    '<table style="table-layout:fixed;width:300px;border-spacing:0"><tr><td style="width:50px">a<td style="width:75px">b</table>',
  'a caption': '<table><caption>A caption of it</caption><tr><td>a<td>the cells of it</table><p>after</p>',
  'a caption below':
    '<table style="caption-side:bottom;margin:10px"><caption style="padding:5px">Below</caption><tr><td>a<td>the cells of it</table><p>after</p>',
  'a table in a table':
    '<table style="width:300px"><tr><td>outer<td><table style="border:1px solid"><tr><td>in<td>ner</table></table>',
  'a table in a table, as wide as its cell': `<table><tr><td>outer<td><table style="width:100%"><tr><td>in<td>ner</table>${words}</table>`,
  'blocks in cells':
    '<table><tr><td><p style="margin:8px 0">one</p><p style="margin:8px 0">two</p><td><div style="width:90px;height:30px"></div><td><ul style="margin:0"><li>x<li>y</ul></table>',
  'words that stay on a line': `<table style="width:300px"><tr><td style="white-space:nowrap">stay on a line<td>${words}</table>`,
  'in the middle of its place': '<table style="margin:10px auto"><tr><td>a<td>longer words</table>',
  'between margins': `<div style="padding:0 30px"><table style="margin:0 20px"><tr><td>${words}<td>${words}</table></div>`,
  'in a flex row': `<div style="display:flex;gap:10px"><div style="width:150px">side</div><table><tr><td>${words}<td>b</table></div>`,
  'in a flex column': '<div style="display:flex;flex-direction:column"><table><tr><td>a<td>longer words</table></div>',
  floats: '<table style="float:right"><tr><td>a<td>longer words</table>',
  'sizes as attributes':
    '<table width=300 cellpadding=5 cellspacing=4 border=1><tr><td width="40%" height=50 valign=top><div>a</div><td align=right>b</table>',
  'a table in the middle of a cell':
    '<table width=300 cellspacing=0 cellpadding=6 align=center><tr><td>a<td align=center><table><tr><td>in<td>ner</table></table>',
  'rows and columns that lack cells': '<table><tr><td>a<tr><td>b<td>c<td>d<tr><td>e<td>f</table>',
  'an empty table': '<table style="border:3px solid;padding:4px"></table><p>after</p>',
  'parts that are not shown':
    '<table><tr><td>a<td style="display:none">hidden<td>c<tr style="display:none"><td>x<tr><td>d<td>e</table>',
  'least and most widths of cells': `<table><tr><td style="min-width:120px">a<td style="max-width:60px">${words}<td>b</table>`,
};

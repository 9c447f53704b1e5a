// The reference tests of the web platform's suite in which our picture of the test differs from our picture of its
// reference, by the reason. As of the checkout of June 2021, in Chromium 156.

/** By the reason: folders, each with the names of tests in it. */
export const DIFFERENT: Readonly<Record<string, string>> = {
  'ex is half of an em, whatever the face': `
    css/CSS2/normal-flow: height-080.xht height-083.xht height-084.xht max-height-080.xht max-height-083.xht
      max-height-084.xht max-width-080.xht max-width-083.xht max-width-084.xht min-height-080.xht min-height-083.xht
      min-height-084.xht min-width-080.xht min-width-083.xht min-width-084.xht width-080.xht width-083.xht
      width-084.xht
    css/CSS2/positioning: bottom-091.xht bottom-092.xht left-091.xht left-092.xht right-091.xht right-092.xht
      top-091.xht top-092.xht
    css/CSS2/tables: table-anonymous-objects-091.xht table-anonymous-objects-092.xht`,
  'edges at fractions of a px are soft, which Chromium moves to whole px': `
    css/CSS2/normal-flow: block-replaced-height-002.xht blocks-025.xht inline-block-replaced-height-002.xht
      inline-replaced-height-002.xht
    css/CSS2/positioning: absolute-replaced-height-001.xht absolute-replaced-height-002.xht
      absolute-replaced-height-036.xht`,
  'letters over each other at fractions of a px': `
    css/CSS2/positioning: abspos-011.xht abspos-012.xht`,
  'blocks in words of a line that are moved, and floats in these': `
    css/CSS2/normal-flow: block-in-inline-float-between-001.xht inlines-013.xht
    css/CSS2/positioning: abspos-float-with-inline-container.html abspos-inline-008.xht
      position-relative-nested-001.xht`,
  'replaced elements whose sizes are shares of unknown ones': `
    css/CSS2/normal-flow: block-replaced-height-007.xht inline-block-replaced-height-005.xht
      inline-block-replaced-height-007.xht inline-replaced-height-005.xht inline-replaced-height-007.xht`,
  'floats beside lines that are placed already, and boxes without room beside them': `
    css/CSS2/floats: float-nowrap-2.html float-nowrap-3.html float-table-align-left-quirk.html
      floats-line-wrap-shifted-001.html floats-placement-vertical-001a.xht floats-placement-vertical-001b.xht
      floats-placement-vertical-001c.xht floats-placement-vertical-003.xht floats-zero-height-wrap-002.xht
      new-fc-separates-from-float-2.html new-fc-separates-from-float-3.html new-fc-separates-from-float.html
      zero-available-space-float-positioning.html zero-width-floats-positioning.tentative.html`,
  'counters of columns and captions': `
    css/CSS2/lists: counter-increment-applies-to-005.xht counter-increment-applies-to-006.xht
      counter-increment-applies-to-015.xht counter-reset-applies-to-005.xht counter-reset-applies-to-006.xht
      counter-reset-applies-to-015.xht counter-reset-increment-002.xht`,
  'a fraction of a px between lines of letters': `
    css/CSS2/tables: table-anonymous-objects-059.xht table-anonymous-objects-060.xht table-anonymous-objects-061.xht
      table-anonymous-objects-062.xht table-anonymous-objects-063.xht table-anonymous-objects-064.xht
      table-anonymous-objects-065.xht table-anonymous-objects-066.xht table-anonymous-objects-067.xht
      table-anonymous-objects-068.xht table-anonymous-objects-069.xht table-anonymous-objects-070.xht
      table-anonymous-objects-071.xht table-anonymous-objects-072.xht table-anonymous-objects-073.xht
      table-anonymous-objects-074.xht table-anonymous-objects-075.xht table-anonymous-objects-076.xht
      table-anonymous-objects-077.xht table-anonymous-objects-078.xht table-anonymous-objects-087.xht
      table-anonymous-objects-088.xht table-anonymous-objects-089.xht table-anonymous-objects-090.xht
      table-anonymous-objects-197.xht table-anonymous-objects-198.xht`,
  'backgrounds with pictures of rows and columns': `
    css/CSS2/tables: table-backgrounds-bc-colgroup-001.xht table-backgrounds-bc-column-001.xht
      table-backgrounds-bc-row-001.xht table-backgrounds-bc-rowgroup-001.xht table-backgrounds-bs-colgroup-001.xht
      table-backgrounds-bs-column-001.xht table-backgrounds-bs-row-001.xht table-backgrounds-bs-rowgroup-001.xht`,
  'rows and columns do not collapse': `
    css/CSS2/tables: row-visibility-001.xht row-visibility-002.xht`,
  'limits and widths of columns and cells': `
    css/CSS2/normal-flow: max-width-applies-to-007.xht min-width-applies-to-005.xht min-width-applies-to-006.xht
      width-applies-to-006.xht`,
  'columns: boxes that are out of the flow or higher than their column': `
    css/CSS2/positioning: abspos-024.xht
    css/css-break: abspos-in-offset-relpos.html block-end-aligned-abspos-with-overflow.html
      margin-after-overflowed-block.html out-of-flow-in-multicolumn-001.html out-of-flow-in-multicolumn-002.html
      out-of-flow-in-multicolumn-003.html out-of-flow-in-multicolumn-004.html out-of-flow-in-multicolumn-006.html
      out-of-flow-in-multicolumn-007.html out-of-flow-in-multicolumn-008.html out-of-flow-in-multicolumn-009.html
      out-of-flow-in-multicolumn-010.html out-of-flow-in-multicolumn-011.html out-of-flow-in-multicolumn-012.html
      out-of-flow-in-multicolumn-013.html out-of-flow-in-multicolumn-015.html out-of-flow-in-multicolumn-016.html
      out-of-flow-in-multicolumn-017.html out-of-flow-in-multicolumn-018.html out-of-flow-in-multicolumn-019.html
      out-of-flow-in-multicolumn-020.html out-of-flow-in-multicolumn-021.html out-of-flow-in-multicolumn-022.html
      out-of-flow-in-multicolumn-023.html out-of-flow-in-multicolumn-024.html out-of-flow-in-multicolumn-025.html
      out-of-flow-in-multicolumn-027.html out-of-flow-in-multicolumn-028.html out-of-flow-in-multicolumn-029.html
      out-of-flow-in-multicolumn-030.html out-of-flow-in-multicolumn-031.html out-of-flow-in-multicolumn-032.html
      out-of-flow-in-multicolumn-033.html out-of-flow-in-multicolumn-034.html out-of-flow-in-multicolumn-035.html
      out-of-flow-in-multicolumn-036.html out-of-flow-in-multicolumn-037.html out-of-flow-in-multicolumn-038.html
      out-of-flow-in-multicolumn-039.html out-of-flow-in-multicolumn-040.html out-of-flow-in-multicolumn-041.html
      out-of-flow-in-multicolumn-042.html out-of-flow-in-multicolumn-043.html out-of-flow-in-multicolumn-045.html
      out-of-flow-in-multicolumn-046.html out-of-flow-in-multicolumn-047.html overflow-clip-000.html
      overflow-clip-001.html overflow-clip-002.html overflow-clip-003.html overflow-clip-004.html
      overflow-clip-005.html overflow-clip-006.html overflow-clip-008.html
      overflowed-block-with-no-room-after-000.html overflowed-block-with-no-room-after-001.html
      overflowed-block-with-room-after-000.html overflowed-block-with-room-after-001.html
      overflowed-block-with-room-after-002.html overflowed-block-with-room-after-003.html
      overflowed-block-with-room-after-004.html`,
  'columns: where the last one ends, and what may not be divided': `
    css/css-break: avoid-border-break.html borders-000.html borders-001.html borders-002.html borders-006.html
      borders-007.html break-at-end-container-edge-000.html break-at-end-container-edge-001.html
      break-at-end-container-edge-002.html break-at-end-container-edge-003.html break-at-end-container-edge-004.html
      break-between-avoid-003.html break-between-avoid-004.html break-between-avoid-007.html fieldset-001.html
      fieldset-003.html fieldset-004.html float-inside-small-block.html form-control.html
      line-after-unbreakable-float-after-padding.html line-pushed-by-float-000.html line-pushed-by-float-001.html
      tall-break-inside-avoid-at-start.html tall-float-pushed-to-next-fragmentainer-000.html
      tall-float-pushed-to-next-fragmentainer-001.html tall-line-in-short-fragmentainer-000.html
      tall-line-in-short-fragmentainer-001.html tall-line-in-short-fragmentainer-002.html
      trailing-child-margin-000.html trailing-child-margin-002.html transform-006.html widows-orphans-002.html
      widows-orphans-004.html widows-orphans-018.html`,
  'not looked into': `
    css/CSS2/lists: list-style-020.xht list-style-image-004.xht
    css/CSS2/normal-flow: float-percentage-resolution-quirks-mode.html inlines-017.xht
      margin-collapsing-in-table-caption-001.html margin-collapsing-in-table-caption-002.html
      max-height-separates-margin.html min-height-separates-margin.html
    css/CSS2/positioning: absolute-non-replaced-height-013.html
    css/CSS2/tables: caption-position-001.xht`,
  'Chromium differs from its reference, too': `
    css/CSS2/floats: float-nowrap-8.html float-nowrap-9.html floats-rule3-outside-left-002.xht
      floats-rule3-outside-right-002.xht floats-rule7-outside-left-001.xht floats-rule7-outside-right-001.xht
      floats-wrap-bfc-006.xht
    css/CSS2/normal-flow: block-replaced-height-006.xht inline-block-replaced-height-006.xht
      inline-block-replaced-width-003.xht inline-replaced-height-006.xht inline-replaced-width-003.xht
      max-width-applies-to-005.xht max-width-applies-to-006.xht replaced-intrinsic-001.xht replaced-intrinsic-003.xht
      replaced-intrinsic-004.xht replaced-intrinsic-005.xht
    css/CSS2/positioning: absolute-replaced-height-006.xht absolute-replaced-height-013.xht
      absolute-replaced-height-020.xht absolute-replaced-height-027.xht absolute-replaced-height-034.xht
      absolute-replaced-width-003.xht absolute-replaced-width-010.xht absolute-replaced-width-024.xht
      absolute-replaced-width-031.xht absolute-replaced-width-038.xht absolute-replaced-width-052.xht
      absolute-replaced-width-066.xht abspos-001.xht position-relative-035.xht
    css/CSS2/tables: anonymous-table-box-width-001.xht column-visibility-004.xht table-anonymous-objects-079.xht
      table-anonymous-objects-080.xht table-anonymous-objects-081.xht table-anonymous-objects-082.xht
      table-anonymous-objects-083.xht table-anonymous-objects-084.xht table-anonymous-objects-085.xht
      table-anonymous-objects-086.xht table-anonymous-objects-093.xht table-anonymous-objects-094.xht
      table-anonymous-objects-095.xht table-anonymous-objects-096.xht table-anonymous-objects-097.xht
      table-anonymous-objects-098.xht table-anonymous-objects-199.xht table-anonymous-objects-200.xht
    css/css-break: monolithic-with-overflow.html out-of-flow-in-multicolumn-044.html transform-007.html`,
};

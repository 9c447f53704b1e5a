// Tells by its text whether a document is more than a plain template, without parsing it.

/** A brand, a reference, a text style or a component, in JSON without spaces; a false alarm costs time only. */
const MATERIAL = /"brand":|"textStyle":|"type":"template"|"\$(?!schema":)[A-Za-z]/;
const SEVERAL = /"sizes":|"texts":/;

/** Whether there is no template before the design is made. @param text as `JSON.stringify` writes it */
export const hasMaterials = (text: string): boolean => MATERIAL.test(text);

/** Whether there may be more than one template in it, or none before the design is made. */
export const isDesign = (text: string): boolean => SEVERAL.test(text) || hasMaterials(text);

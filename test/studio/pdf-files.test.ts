// Tests what the studio reads of the XML of an e-invoice before it is sent.

import { expect, test } from 'vitest';
import { profileOf } from '../../src/studio/shell/drawn-file.ts';

// The guidelines of Factur-X 1.08, table 2, and of XRechnung 3.0.
test.each([
  ['urn:factur-x.eu:1p0:minimum', 'MINIMUM'],
  ['urn:factur-x.eu:1p0:basicwl', 'BASIC WL'],
  ['urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic', 'BASIC'],
  ['urn:cen.eu:en16931:2017', 'EN 16931'],
  ['urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended', 'EXTENDED'],
  ['urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0', 'XRECHNUNG'],
])('an invoice of %s is of the profile %s', (guideline, profile) => {
  const xml = `<rsm:CrossIndustryInvoice><rsm:ExchangedDocumentContext>
    <ram:GuidelineSpecifiedDocumentContextParameter>
      <ram:ID>${guideline}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>`;
  expect(profileOf(xml)).toBe(profile);
});

test('a file that says nothing is sent as EN 16931, and the server says what it is', () => {
  expect(profileOf('<Invoice/>')).toBe('EN 16931');
});

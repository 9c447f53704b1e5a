// The rules that n8n asks of community nodes.

import parser from '@typescript-eslint/parser';
import n8n from 'eslint-plugin-n8n-nodes-base';

const rules = (name) => n8n.configs[name].rules;

export default [
  { ignores: ['dist/**', 'node_modules/**'] },
  {
    files: ['nodes/**/*.ts'],
    languageOptions: { parser, sourceType: 'module' },
    plugins: { 'n8n-nodes-base': n8n },
    rules: rules('nodes'),
  },
  {
    files: ['credentials/**/*.ts'],
    languageOptions: { parser, sourceType: 'module' },
    plugins: { 'n8n-nodes-base': n8n },
    // The page of the documentation is one of ours, not a name of n8n's own.
    rules: { ...rules('credentials'), 'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off' },
  },
];

// The address of a Platen server, and an API key of it.

import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class PlatenApi implements ICredentialType {
  name = 'platenApi';

  displayName = 'Platen API';

  documentationUrl = 'https://github.com/platen-dev/platen/blob/main/docs/automation.md';

  icon = 'file:platen.svg' as const;

  properties: INodeProperties[] = [
    {
      displayName: 'Server',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://img.example.com',
      description: 'The address of the server, without a path',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'A key with the rights "read" and "render", and "screenshot" to capture pages',
      required: true,
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/account' },
  };
}

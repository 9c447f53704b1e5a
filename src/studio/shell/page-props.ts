// What each page of the studio is given.

/** The properties of every page of an account. */
export interface PageProps {
  readonly accountId: string;
}

/** The properties of a template's pages. */
export interface TemplatePageProps extends PageProps {
  readonly templateId: string;
}

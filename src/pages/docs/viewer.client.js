// Shows the reference in Swagger UI, over the text that the page has without scripts.

const root = document.querySelector('#reference');

/** Adds an operation's samples below its parameters. */
const samples = ({ React }) => ({
  wrapComponents: {
    parameters: (Parameters) => (props) => {
      const given = props.operation.get('x-codeSamples')?.toJS() ?? [];
      return React.createElement(
        React.Fragment,
        null,
        React.createElement(Parameters, props),
        given.map(({ label, source }, index) =>
          React.createElement(
            'details',
            { key: label, className: 'sample', open: index === 0 },
            React.createElement('summary', null, label),
            React.createElement('pre', { tabIndex: 0 }, React.createElement('code', null, source)),
          ),
        ),
      );
    },
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const answer = await fetch('/openapi.json');
if (answer.ok) {
  const spec = await answer.json();
  // Requests go to the origin that serves the page, whatever address the service has for others.
  spec.servers = [{ url: location.origin }];
  window.SwaggerUIBundle({
    spec,
    domNode: root,
    plugins: [samples],
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    validatorUrl: null,
  });
}

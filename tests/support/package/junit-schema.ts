import { type HTMLElement, parse } from 'node-html-parser';

/** Attributes of an element (`!` for required ones), and its children. */
interface Shape {
  readonly attributes: string;
  readonly children: string;
}

/** JUnit as strict readers take it (Jenkins' xUnit plugin, Azure), written down from junit-10.xsd: no package has it. */
const SHAPES: Readonly<Record<string, Shape>> = {
  testsuites: { attributes: 'name time tests failures errors', children: 'testsuite' },
  testsuite: {
    attributes:
      'name! tests! failures! errors! group time skipped timestamp hostname id package file log url',
    children: 'testsuite properties testcase system-out system-err',
  },
  properties: { attributes: '', children: 'property' },
  property: { attributes: 'name! value!', children: '' },
  testcase: {
    attributes: 'name! time classname group',
    children: 'skipped error failure system-out system-err',
  },
  skipped: { attributes: 'type message', children: '' },
  error: { attributes: 'type message', children: '' },
  failure: { attributes: 'type message', children: '' },
  'system-out': { attributes: '', children: '' },
  'system-err': { attributes: '', children: '' },
};

/** Seconds, with groups of thousands or without. */
const TIME = /^(?:(?:\d{0,3},)*\d{3}|\d{0,3})*(?:\.\d*)?$/;

/** Returns the parts of a JUnit file that a strict reader would refuse; empty for a valid one. */
export function junitProblems(xml: string): readonly string[] {
  const root = parse(xml, { lowerCaseTagName: false }).querySelector('testsuites');
  return root === null ? ['there is no element testsuites'] : problemsIn(root);
}

function problemsIn(element: HTMLElement): readonly string[] {
  const name = element.rawTagName;
  const shape = SHAPES[name];
  if (shape === undefined) return [`an element ${name}`];
  const names = shape.attributes.split(' ').filter(Boolean);
  const known = names.map((one) => one.replace('!', ''));
  const missing = names
    .filter((one) => one.endsWith('!') && element.getAttribute(one.slice(0, -1)) === undefined)
    .map((one) => `${name} without ${one.slice(0, -1)}`);
  const stray = Object.keys(element.attributes)
    .filter((one) => !known.includes(one))
    .map((one) => `${name} with ${one}`);
  const time = element.getAttribute('time');
  const children = element.childNodes.filter((node) => node.nodeType === 1) as HTMLElement[];
  const misplaced = children
    .filter((child) => !shape.children.split(' ').includes(child.rawTagName))
    .map((child) => `${child.rawTagName} in ${name}`);
  return [
    ...missing,
    ...stray,
    ...(time !== undefined && name.startsWith('testsuite') && !TIME.test(time) ? [`time ${time}`] : []),
    ...misplaced,
    ...children.flatMap(problemsIn),
  ];
}

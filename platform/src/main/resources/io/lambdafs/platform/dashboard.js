(function () {
  'use strict';
  const RECENT = 300;
  const EVENTS = 200;
  const element = (id) => document.getElementById(id);
  const state = { names: [], whole: [], recent: [], events: [], deployments: [], instances: [], doors: [], slowest: null, hot: null };
  let charts = {};
  let span = 'recent';

  // Text goes into the page as text only: paths are users'.
  function row(cells, type) {
    const tr = document.createElement('tr');
    cells.forEach((cell, i) => {
      const td = document.createElement(i === 0 && type !== 'plain' ? 'th' : 'td');
      td.textContent = cell;
      tr.append(td);
    });
    return tr;
  }

  const number = (v) => (v >= 100 ? Math.round(v).toLocaleString('en') : String(+v.toPrecision(3)));
  const percent = (part, rest) => (part + rest > 0 ? (100 * part / (part + rest)).toFixed(1) + ' %' : '–');
  const bytes = (v) => (v >= 1 << 20 ? (v / (1 << 20)).toFixed(1) + ' MiB' : (v / 1024).toFixed(0) + ' KiB');
  const usd = (v) => '$' + (v >= 1 ? v.toFixed(2) : v.toPrecision(3));
  const clock = (millis) => new Date(millis).toLocaleTimeString();
  const last = () => state.recent[state.recent.length - 1];

  function cards() {
    const p = last();
    if (!p) return;
    const ops = p.reads + p.writes;
    const back = state.recent[Math.max(0, state.recent.length - 60)];
    const hour = p.t > back.t ? (p.usd - back.usd) / (p.t - back.t) * 3600 : 0;
    const shown = [
      ['ops', number(ops) + ' ops/s', 'Load'],
      ['p50', p.readP50 ? plots.micros(p.readP50) : '–', 'Read, median'],
      ['p99', p.readP99 ? plots.micros(p.readP99) : '–', 'Read, 99th percentile'],
      ['writes99', p.writeP99 ? plots.micros(p.writeP99) : '–', 'Write, 99th percentile'],
      ['live', String(p.instances.reduce((a, b) => a + b, 0)), 'Instances'],
      ['hit', p.hits < 0 ? '–' : (100 * p.hits).toFixed(1) + ' %', 'Cache hits'],
      ['hot', state.hot ? state.hot.deployment + ': ' + (100 * state.hot.share).toFixed(0) + ' %' : 'none',
        'Hot partition, its share of the load'],
      ['hour', usd(hour), 'Cost per hour, of the last minute'],
      ['usd', usd(p.usd), 'Cost since start']
    ];
    element('cards').replaceChildren(...shown.map(([id, value, label]) => {
      const card = document.createElement('div');
      card.className = 'card';
      for (const [name, text] of [['value', value], ['label', label]]) {
        const div = document.createElement('div');
        div.className = name;
        div.textContent = text;
        if (name === 'value') div.id = 'card-' + id;
        card.append(div);
      }
      return card;
    }));
  }

  function tables() {
    element('deployments').replaceChildren(...state.deployments.map((d) => row([
      d.name, d.instances, number(d.operations), percent(d.hits, d.misses), percent(d.listing_hits, d.listing_misses),
      percent(d.link_hits, d.link_misses), bytes(d.cache_bytes), number(d.inodes), number(d.listings), number(d.evictions),
      number(d.invalidated), number(d.overloaded), number(d.refusals), number(d.passing), number(d.faults)])));
    element('live').replaceChildren(...state.instances.map((i) => row([
      i.id, i.deployment || '(prewarmed)', i.state, i.age + ' s', i.inFlight,
      i.coldStart === undefined ? '–' : i.coldStart + ' ms',
      i.steady > 0 ? i.steady.toFixed(1) + ' ×' : '–',
      i.age > 0 ? Math.min(100, 100 * i.billed / (i.age * 1000)).toFixed(0) + ' %' : '–'])));
    element('doors-told').hidden = state.doors.length === 0;
    element('doors').replaceChildren(...state.doors.map((d) => row([d.name, d.address, d.state].concat(
      d.state !== 'answers' ? Array(8).fill('–') : [
        d.connections === undefined ? '–' : d.connections, number(d.calls), d.micros ? plots.micros(d.micros) : '–',
        number(d.failures), d.streams, d.files, bytes(d.readBytes), bytes(d.writtenBytes)]))));
    element('slowest').replaceChildren(...(state.slowest === null
      ? [row(['Shown to holders of the token: open the address that "lambdafs dashboard" prints.'], 'plain')]
      : state.slowest.map((s) => row([s.operation, plots.micros(s.micros), clock(s.millis), s.deployment, s.path]))));
  }

  function events() {
    element('events').replaceChildren(...state.events.map((e) => {
      const tr = row([clock(e.millis), e.kind, e.deployment, e.instance, e.text], 'plain');
      tr.className = e.kind;
      tr.children[1].className = 'kind';
      return tr;
    }));
  }

  const series = (value) => state[span].map((p) => ({ x: p.t, y: value(p) }));
  const some = (value) => state[span].filter((p) => value(p) > 0).map((p) => ({ x: p.t, y: value(p) }));

  /** The lines of each plot. */
  function lines(t) {
    const hue = t.hues;
    const line = plots.line;
    return {
      load: [line('reads', series((p) => p.reads), hue[0]), line('writes', series((p) => p.writes), hue[1])],
      instances: state.names.map((name, d) =>
        plots.stacked(name, series((p) => p.instances[d] || 0), hue[d % hue.length], d === 0)),
      latency: [
        line('reads, median', some((p) => p.readP50), hue[0]),
        line('reads, 99th percentile', some((p) => p.readP99), hue[5], { borderDash: [6, 4] }),
        line('writes, median', some((p) => p.writeP50), hue[1]),
        line('writes, 99th percentile', some((p) => p.writeP99), hue[4], { borderDash: [6, 4] })
      ],
      hits: [
        line('cache hits', state[span].filter((p) => p.hits >= 0).map((p) => ({ x: p.t, y: p.hits * 100 })), hue[2], { yAxisID: 'y' }),
        line('queue', series((p) => p.queued), hue[3], { yAxisID: 'queue', borderWidth: 1.5 })
      ],
      cost: [
        line('while provisioned', series((p) => p.provisionedUsd), hue[2], { borderDash: [6, 4] }),
        line('pay-per-use', series((p) => p.usd), hue[0])
      ]
    };
  }

  function draw() {
    Object.values(charts).forEach((chart) => chart.destroy());
    const t = plots.theme();
    const data = lines(t);
    const time = () => plots.axis(t, 'seconds since the gateway\'s start', { type: 'linear' });
    const whole = (v) => Math.round(v).toLocaleString('en');
    charts = {
      load: plots.chart('load', data.load, { x: time(), y: plots.zero(t, 'operations per second') },
        plots.withUnit((v) => whole(v) + ' ops/s')),
      instances: plots.chart('instances', data.instances,
        { x: time(), y: plots.zero(t, 'instances', { stacked: true, suggestedMax: 2, ticks: { precision: 0 } }) },
        plots.withUnit((v, i) => String(i.raw.y))),
      latency: plots.chart('latency', data.latency, { x: time(), y: plots.logMicros(t) }, plots.withUnit(plots.micros)),
      hits: plots.chart('hits', data.hits, {
        x: time(), y: plots.axis(t, 'cache hits (%)', { min: 0, max: 100 }),
        queue: plots.zero(t, 'calls queued', { position: 'right', suggestedMax: 5, grid: { drawOnChartArea: false } })
      }, plots.withUnit((v, i) => (i.dataset.yAxisID === 'y' ? v.toFixed(1) + ' %' : whole(v)))),
      cost: plots.chart('cost', data.cost, { x: time(), y: plots.zero(t, 'USD') }, plots.withUnit((v) => '$' + v.toFixed(6)))
    };
  }

  function update() {
    const data = lines(plots.theme());
    Object.entries(charts).forEach(([id, chart]) => {
      chart.data.datasets.length = data[id].length;
      data[id].forEach((set, i) => { chart.data.datasets[i] = Object.assign(chart.data.datasets[i] || {}, set); });
      chart.update('none');
    });
  }

  function all(message) {
    state.names = message.names;
    state.whole = message.whole;
    state.recent = message.recent;
    element('title').textContent = 'dashboard, since ' + new Date(message.beganMillis).toLocaleString();
    draw();
    cards();
  }

  function second(message) {
    if (message.point) {
      state.recent.push(message.point);
      state.recent.splice(0, state.recent.length - RECENT);
      state.whole.push(message.point);
    }
    state.deployments = message.deployments;
    if (message.deployments.length !== state.names.length) {
      state.names = message.deployments.map((d) => d.name);
    }
    state.instances = message.instances;
    state.doors = message.doors;
    state.hot = message.hot || null;
    if (message.events.length) {
      state.events = message.events.reverse().concat(state.events).slice(0, EVENTS);
      events();
    }
    if (!document.hidden) {
      update();
      cards();
      tables();
    }
  }

  // Beside the page, whatever path a proxy gives it. The token moves from the address to this tab.
  const place = window.location.pathname.replace(/\/+$/, '');
  const kept = 'token of ' + place;
  const given = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem(kept, given);
    window.history.replaceState(null, '', window.location.pathname);
  }
  const link = element('link');
  const status = (text, live) => {
    link.textContent = text;
    link.classList.toggle('live', live);
  };
  const takes = {
    all: (message) => {
      if (message.token) sessionStorage.setItem(kept, message.token);
      all(message);
    },
    second,
    slowest: (message) => {
      state.slowest = message;
      tables();
    }
  };

  /** Takes complete messages off a text, and returns the rest. */
  function take(text) {
    const messages = text.split('\n\n');
    const rest = messages.pop();
    messages.forEach((message) => {
      const found = message.match(/^event: (\w+)\ndata: (.*)$/);
      if (found) takes[found[1]](JSON.parse(found[2]));
    });
    return rest;
  }

  /** Follows the events until they end; an EventSource could not show the token. */
  async function follow() {
    const token = sessionStorage.getItem(kept);
    const headers = token ? { Authorization: 'Bearer ' + token } : {};
    const answer = await fetch(place + '/events', { headers, cache: 'no-store' });
    if (!answer.ok) {
      return (await answer.text()).trim();
    }
    state.events = [];
    status('live', true);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = '', read = await reader.read(); !read.done; read = await reader.read()) {
      rest = take(rest + read.value);
    }
    return 'the gateway has ended the connection';
  }

  async function forever() {
    const why = await follow().catch(() => 'the gateway does not answer');
    status(why + '; trying again', false);
    setTimeout(forever, 2000);
  }
  document.querySelectorAll('input[name=span]').forEach((input) => input.addEventListener('change', () => {
    span = input.value;
    draw();
  }));
  draw();
  plots.onTheme(draw);
  forever();
})();

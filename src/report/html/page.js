
'use strict';
(function () {
  document.documentElement.classList.add('js');

  // A link to an obligation opens it, and everything around it.
  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var part = target; part; part = part.parentElement) {
      if (part.tagName === 'DETAILS') part.open = true;
    }
    if (target) target.scrollIntoView();
  }
  window.addEventListener('hashchange', reveal);
  reveal();

  var ROW = 26, KEY = 500;

  // States as a film: what holds at first, and what each step adds and removes.
  function film(root) {
    var data = JSON.parse(document.getElementById(root.dataset.film).textContent);
    var last = data.steps.length, now = -1;
    var find = function (name) { return root.querySelector(name); };
    var picture = find('svg.state'), facts = {}, keys = [new Set(data.start)];
    if (picture) picture.querySelectorAll('[data-f]').forEach(function (group) { facts[group.dataset.f] = group; });

    function apply(seen, step) {
      step[2].forEach(function (fact) { seen.delete(fact); });
      step[1].forEach(function (fact) { seen.add(fact); });
    }
    function seenAt(number) {
      var key = Math.floor(number / KEY);
      while (keys.length <= key) {
        var next = new Set(keys[keys.length - 1]), from = (keys.length - 1) * KEY;
        for (var at = from; at < from + KEY; at++) apply(next, data.steps[at]);
        keys.push(next);
      }
      var seen = new Set(keys[key]);
      for (var step = key * KEY; step < number; step++) apply(seen, data.steps[step]);
      return seen;
    }

    function list(parent, entries) {
      parent.replaceChildren.apply(parent, entries.slice(0, 500).map(function (entry) {
        var item = document.createElement('li');
        item.textContent = entry[0];
        item.className = 'mono ' + entry[1];
        return item;
      }));
      if (entries.length > 500) {
        var rest = document.createElement('li');
        rest.textContent = '… and ' + (entries.length - 500) + ' more';
        parent.append(rest);
      }
    }

    function show(number) {
      number = Math.max(0, Math.min(last, number));
      if (number === now) return;
      now = number;
      var seen = seenAt(number), step = number > 0 && data.changes ? data.steps[number - 1] : ['', [], []];
      var added = new Set(step[1]), removed = new Set(step[2]);
      // Where another fact is written now, the one that was there cannot be struck out.
      var taken = new Set();
      seen.forEach(function (fact) { if (facts[fact]) taken.add(facts[fact].dataset.s); });
      taken.delete(undefined);
      Object.keys(facts).forEach(function (name) {
        var fact = Number(name), group = facts[name].classList;
        var struck = removed.has(fact) && !taken.has(facts[name].dataset.s);
        group.toggle('new', added.has(fact));
        group.toggle('old', struck);
        group.toggle('off', !seen.has(fact) && !struck);
      });
      if (picture) picture.querySelectorAll('.element').forEach(function (element) {
        element.classList.toggle('culprit', number === last && data.marked.includes(element.dataset.e));
      });
      var title = number > 0 ? data.steps[number - 1][0] : data.first;
      find('.title').textContent = data.changes && number > 0 ? number + '. ' + title : title;
      var entry = function (sign, kind) { return function (fact) { return [sign + data.facts[fact], kind]; }; };
      if (picture) {
        list(find('.changes'), step[1].map(entry('+ ', 'plus')).concat(step[2].map(entry('− ', 'minus'))));
      } else {
        list(find('.changes'), step[2].map(entry('− ', 'minus')).concat(
          Array.from(seen).sort(function (one, other) { return one - other; }).map(function (fact) {
            return [(added.has(fact) ? '+ ' : '') + data.facts[fact], added.has(fact) ? 'plus' : ''];
          })));
      }
      var slider = find('input[type=range]'), output = find('output');
      if (slider) slider.value = number;
      if (output) output.textContent = number + ' of ' + last;
      var graph = find('svg.graph');
      if (graph) graph.querySelectorAll('.node').forEach(function (node) {
        node.classList.toggle('now', Number(node.dataset.n) === number);
      });
      if (rows) rows(true);
      root.dataset.at = number;
    }

    // Only the rows that are in sight exist.
    var steps = find('.steps'), rows = null;
    if (steps) {
      var space = document.createElement('div');
      space.style.height = (last + 1) * ROW + 'px';
      steps.style.maxHeight = (last + 1) * ROW + 2 + 'px';
      rows = function (follow) {
        var top = now * ROW, high = steps.clientHeight;
        if (follow && (top < steps.scrollTop || top + ROW > steps.scrollTop + high)) steps.scrollTop = top - high / 2;
        var first = Math.max(0, Math.floor(steps.scrollTop / ROW) - 3);
        var until = Math.min(last, first + Math.ceil(high / ROW) + 6), shown = [];
        for (var number = first; number <= until; number++) {
          var row = document.createElement('div');
          row.className = 'row mono' + (number === now ? ' now' : '');
          row.style.top = number * ROW + 'px';
          row.textContent = number === 0 ? data.first : number + '. ' + data.steps[number - 1][0];
          row.title = row.textContent;
          row.dataset.step = number;
          shown.push(row);
        }
        steps.replaceChildren.apply(steps, [space].concat(shown));
      };
      steps.addEventListener('scroll', function () { rows(false); });
      steps.addEventListener('click', function (event) {
        if (event.target.dataset.step) show(Number(event.target.dataset.step));
      });
    }
    root.querySelectorAll('button[data-by]').forEach(function (button) {
      button.addEventListener('click', function () {
        var by = button.dataset.by;
        show(by === 'first' ? 0 : by === 'last' ? last : now + Number(by));
      });
    });
    var range = find('input[type=range]');
    if (range) range.addEventListener('input', function () { show(Number(range.value)); });
    root.addEventListener('keydown', function (event) {
      var go = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
      if (go === undefined || event.target === range) return;
      event.preventDefault();
      show(go);
    });
    var graph = find('svg.graph');
    if (graph) graph.addEventListener('click', function (event) {
      var node = event.target.closest('.node');
      if (node) show(Number(node.dataset.n));
    });
    show(0);
    // A large graph begins in the middle of what is seen of it.
    var begin = graph && graph.querySelector('.node.now'), box = begin && graph.parentElement;
    if (box) box.scrollTop += begin.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }
  document.querySelectorAll('[data-film]').forEach(film);

  // A node that is pointed at stands out, with all that it is joined to; a click keeps it so.
  document.querySelectorAll('svg.graph').forEach(function (graph) {
    var kept = null;
    function mark(number) {
      var near = new Set([number]);
      graph.classList.toggle('focus', number !== null);
      graph.querySelectorAll('.edge').forEach(function (edge) {
        var own = number !== null && (edge.dataset.a === number || edge.dataset.b === number);
        edge.classList.toggle('near', own);
        if (own) near.add(edge.dataset.a).add(edge.dataset.b);
      });
      graph.querySelectorAll('.node').forEach(function (node) {
        node.classList.toggle('near', near.has(node.dataset.n));
      });
    }
    function pointed(event) {
      var node = event.target.closest('.node');
      return node ? node.dataset.n : null;
    }
    graph.addEventListener('mouseover', function (event) {
      var number = pointed(event);
      mark(number === null ? kept : number);
    });
    graph.addEventListener('mouseleave', function () { mark(kept); });
    if (!graph.closest('.pick')) graph.addEventListener('click', function (event) {
      var number = pointed(event);
      kept = number === kept ? null : number;
      mark(kept);
    });
  });
})();

package main

// expected is how a call must have been answered: with a failure, or with whether something changed and the nodes shown.
type expected struct {
	failure string
	changed bool
	shown   []string
}

func fails(code string) expected { return expected{failure: code} }

// apply does a call to a state by the rules that the client's Javadoc and HDFS's specification state; a superuser calls.
func apply(s *namespace, c *Call) (*namespace, expected) {
	switch c.Op {
	case "stat", "open", "list":
		return s, read(s, c)
	case "mkdirs":
		return mkdirs(s, c)
	case "create":
		return create(s, c)
	case "delete":
		return remove(s, c)
	case "rename":
		return rename(s, c)
	case "chmod":
		return change(s, c, func(n *node) { n.mode = c.Mode })
	case "settimes":
		return change(s, c, func(n *node) {
			if !n.dir {
				n.mtime = c.Mtime
			}
		})
	}
	panic("no operation " + c.Op)
}

// belowFile is what a write is told that does not make something: below a file nobody may search.
func belowFile(code string) string {
	if code == notADirectory {
		return denied
	}
	return code
}

// find is the error of a path that does not lead to a node; empty where it does.
func find(s *namespace, path string) string {
	if path != "" {
		if code := s.way(parent(path)); code != "" {
			return code
		}
	}
	if _, there := s.nodes[path]; !there {
		return notFound
	}
	return ""
}

func read(s *namespace, c *Call) expected {
	switch code := find(s, c.Path); code {
	case "":
	case notADirectory:
		return fails(notFound)
	default:
		return fails(code)
	}
	dir := s.nodes[c.Path].dir
	if c.Op == "open" && dir {
		return fails(isADirectory)
	}
	if c.Op == "list" && dir {
		var shown []string
		for _, each := range s.children(c.Path) {
			shown = append(shown, child(c.Path, each))
		}
		return expected{shown: shown}
	}
	return expected{shown: []string{c.Path}}
}

// makeParents makes the missing directories down to a path. An error says that a file is in the way.
func makeParents(nodes map[string]node, path string, mode func(base node) int) string {
	if n, there := nodes[path]; there {
		if !n.dir {
			return notADirectory
		}
		return ""
	}
	var missing []string
	base := path
	for {
		if n, there := nodes[base]; there {
			if !n.dir {
				return notADirectory
			}
			break
		}
		missing = append(missing, base)
		if base == "" {
			break
		}
		base = parent(base)
	}
	bits := mode(nodes[base])
	for _, each := range missing {
		nodes[each] = node{dir: true, mode: bits}
	}
	return ""
}

func mkdirs(s *namespace, c *Call) (*namespace, expected) {
	if n, there := s.nodes[c.Path]; there {
		if !n.dir {
			return s, fails(alreadyExists)
		}
		return s, expected{changed: true}
	}
	nodes := s.copy()
	if c.Path != "" {
		if code := makeParents(nodes, parent(c.Path), func(node) int { return c.Mode | 0o300 }); code != "" {
			return s, fails(code)
		}
	}
	nodes[c.Path] = node{dir: true, mode: c.Mode}
	return seal(nodes), expected{changed: true}
}

func create(s *namespace, c *Call) (*namespace, expected) {
	nodes := s.copy()
	if c.Parents {
		if code := makeParents(nodes, parent(c.Path), func(base node) int { return base.mode&0o777 | 0o300 }); code != "" {
			return s, fails(code)
		}
	} else if code := s.way(parent(c.Path)); code != "" {
		return s, fails(code)
	}
	if n, there := nodes[c.Path]; there && (n.dir || !c.Overwrite) {
		return s, fails(alreadyExists)
	}
	nodes[c.Path] = node{mode: c.Mode, size: c.Size, content: c.Content}
	return seal(nodes), expected{shown: []string{c.Path}}
}

func remove(s *namespace, c *Call) (*namespace, expected) {
	switch find(s, c.Path) {
	case notFound:
		return s, expected{changed: false}
	case notADirectory:
		return s, fails(denied)
	}
	if s.nodes[c.Path].dir && !c.Recursive && len(s.children(c.Path)) > 0 {
		return s, fails(notEmpty)
	}
	nodes := s.copy()
	for path := range s.nodes {
		if path == c.Path || isBelow(path, c.Path) {
			delete(nodes, path)
		}
	}
	return seal(nodes), expected{changed: true}
}

func change(s *namespace, c *Call, how func(*node)) (*namespace, expected) {
	if code := find(s, c.Path); code != "" {
		return s, fails(belowFile(code))
	}
	nodes := s.copy()
	n := nodes[c.Path]
	how(&n)
	nodes[c.Path] = n
	return seal(nodes), expected{changed: true}
}

func rename(s *namespace, c *Call) (*namespace, expected) {
	from, to := s.way(parent(c.Path)), s.way(parent(c.To))
	moved, there := s.nodes[c.Path]
	switch {
	case from == notADirectory:
		return s, fails(denied)
	case to == notADirectory:
		return s, fails(to)
	case from != "" || !there:
		return s, fails(notFound)
	case isBelow(c.To, c.Path):
		return s, fails(notAllowed)
	case to != "":
		return s, fails(to)
	}
	if c.To == c.Path {
		return s, fails(alreadyExists)
	}
	if target, taken := s.nodes[c.To]; taken {
		if code := blocks(s, c, moved, target); code != "" {
			return s, fails(code)
		}
	}
	nodes := s.copy()
	delete(nodes, c.To)
	for path, n := range s.nodes {
		if path == c.Path || isBelow(path, c.Path) {
			delete(nodes, path)
			nodes[c.To+path[len(c.Path):]] = n
		}
	}
	return seal(nodes), expected{changed: true}
}

// blocks says why what is at the destination of a rename stands in its way; empty where it is replaced.
func blocks(s *namespace, c *Call, moved, target node) string {
	switch {
	case !moved.dir && target.dir:
		return isADirectory
	case moved.dir && !target.dir:
		return notADirectory
	case !c.Overwrite:
		return alreadyExists
	case target.dir && len(s.children(c.To)) > 0:
		return notEmpty
	}
	return ""
}

package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/anishathalye/porcupine"
)

// node is one file or directory of a world. What only the service decides (an id, the time of a create) is unknown until a
// reply shows it, and fixed from then on.
type node struct {
	dir     bool
	mode    int
	size    int64
	content string
	id      int64 // 0: not seen yet
	mtime   int64 // of a file; 0: not seen yet
}

// namespace is a state of one world: every node by its path relative to the world's directory, which is the empty path.
// Never changed once it is shared; key is its canonical form.
type namespace struct {
	nodes map[string]node
	key   string
}

func empty() *namespace { return seal(map[string]node{}) }

func seal(nodes map[string]node) *namespace {
	paths := make([]string, 0, len(nodes))
	for path := range nodes {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	var key strings.Builder
	for _, path := range paths {
		n := nodes[path]
		fmt.Fprintf(&key, "/%s %v %o %d %s #%d @%d\n", path, n.dir, n.mode, n.size, n.content, n.id, n.mtime)
	}
	return &namespace{nodes, key.String()}
}

func (s *namespace) copy() map[string]node {
	nodes := make(map[string]node, len(s.nodes)+1)
	for path, n := range s.nodes {
		nodes[path] = n
	}
	return nodes
}

func parent(path string) string {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		return path[:slash]
	}
	return ""
}

func name(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func child(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

func isBelow(path, above string) bool {
	return path != above && (above == "" || strings.HasPrefix(path, above+"/"))
}

// way says why there is no directory at a path: the error of the first component that is not one; empty where there is one.
func (s *namespace) way(path string) string {
	for end := 0; ; {
		n, there := s.nodes[path[:end]]
		if !there {
			return notFound
		}
		if !n.dir {
			return notADirectory
		}
		if end == len(path) {
			return ""
		}
		if next := strings.IndexByte(path[end+1:], '/'); next >= 0 {
			end += 1 + next
		} else {
			end = len(path)
		}
	}
}

// children are the names in a directory, in order.
func (s *namespace) children(path string) []string {
	var names []string
	for each := range s.nodes {
		if each != "" && parent(each) == path {
			names = append(names, name(each))
		}
	}
	sort.Strings(names)
	return names
}

const (
	notFound      = "NOT_FOUND"
	alreadyExists = "ALREADY_EXISTS"
	notADirectory = "NOT_A_DIRECTORY"
	isADirectory  = "IS_A_DIRECTORY"
	notEmpty      = "NOT_EMPTY"
	notAllowed    = "NOT_ALLOWED"
	denied        = "PERMISSION_DENIED"
)

// model is what porcupine checks each world against.
func model() porcupine.Model {
	return porcupine.Model{
		Init:  func() interface{} { return empty() },
		Equal: func(a, b interface{}) bool { return a.(*namespace).key == b.(*namespace).key },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			return step(state.(*namespace), input.(*Call), output.(*Call))
		},
		DescribeOperation: func(input, output interface{}) string { return input.(*Call).String() },
		DescribeState:     func(state interface{}) string { return state.(*namespace).key },
	}
}

// step does a call to a state, and says whether it may have been answered as it was.
func step(s *namespace, call, answer *Call) (bool, *namespace) {
	after, expected := apply(s, call)
	if answer.Pending() {
		return true, after
	}
	if expected.failure != "" || answer.Error != "" {
		return expected.failure == answer.Error, after
	}
	if expected.changed != answer.Changed || len(expected.shown) != len(answer.Entries) {
		return false, after
	}
	learned := after.copy()
	for i, path := range expected.shown {
		n, matches := observe(after, path, &answer.Entries[i], call.Op == "open")
		if !matches {
			return false, after
		}
		learned[path] = n
	}
	return true, seal(learned)
}

// observe compares a node with what a reply shows of it.
func observe(s *namespace, path string, seen *Entry, withContent bool) (node, bool) {
	n := s.nodes[path]
	if (path != "" && seen.Name != name(path)) || seen.Dir != n.dir || seen.Mode != n.mode {
		return n, false
	}
	if n.id != 0 && seen.ID != n.id {
		return n, false
	}
	n.id = seen.ID
	if n.dir {
		return n, seen.Children == len(s.children(path))
	}
	if seen.Size != n.size || (withContent && seen.Content != n.content) || (n.mtime != 0 && seen.Mtime != n.mtime) {
		return n, false
	}
	n.mtime = seen.Mtime
	return n, true
}

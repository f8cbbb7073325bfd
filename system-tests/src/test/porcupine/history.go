package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"

	"github.com/anishathalye/porcupine"
)

// Call is one line of a history: what a client asked of one world, when, and what it was told.
type Call struct {
	World     int     `json:"world"`
	Client    int     `json:"client"`
	Op        string  `json:"op"`
	Path      string  `json:"path"` // relative to the world's directory
	To        string  `json:"to"`
	Mode      int     `json:"mode"`
	Mtime     int64   `json:"mtime"`
	Size      int64   `json:"size"`
	Content   string  `json:"content"` // hash
	Overwrite bool    `json:"overwrite"`
	Parents   bool    `json:"parents"`
	Recursive bool    `json:"recursive"`
	Invoked   int64   `json:"invoked"` // nanoseconds of the driver's clock
	Completed int64   `json:"completed"`
	State     string  `json:"state"` // done; pending: its outcome is not known; failed: it had no effect
	Error     string  `json:"error"`
	Changed   bool    `json:"changed"`
	Entries   []Entry `json:"entries"`
}

// Entry is a file or directory as a reply shows it.
type Entry struct {
	Name     string `json:"name"`
	Dir      bool   `json:"dir"`
	ID       int64  `json:"id"`
	Mode     int    `json:"mode"`
	Size     int64  `json:"size"`
	Mtime    int64  `json:"mtime"`
	Children int    `json:"children"`
	Content  string `json:"content"`
}

func (c *Call) Pending() bool { return c.State == "pending" }

func (c *Call) String() string {
	text := c.Op + " /" + c.Path
	switch c.Op {
	case "rename":
		text += fmt.Sprintf(" -> /%s overwrite=%v", c.To, c.Overwrite)
	case "create":
		text += fmt.Sprintf(" %o %s overwrite=%v parents=%v", c.Mode, c.Content, c.Overwrite, c.Parents)
	case "delete":
		text += fmt.Sprintf(" recursive=%v", c.Recursive)
	case "chmod", "mkdirs":
		text += fmt.Sprintf(" %o", c.Mode)
	case "settimes":
		text += fmt.Sprintf(" @%d", c.Mtime)
	}
	switch {
	case c.Pending():
		return text + ": ?"
	case c.Error != "":
		return text + ": " + c.Error
	case c.Op == "stat" || c.Op == "open" || c.Op == "list" || c.Op == "create":
		return fmt.Sprintf("%s: %+v", text, c.Entries)
	}
	return fmt.Sprintf("%s: %v", text, c.Changed)
}

// load reads a file of JSON lines into one history per world.
func load(file string) (map[int][]Call, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	worlds := map[int][]Call{}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), 1<<22)
	for number := 1; lines.Scan(); number++ {
		var call Call
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number, err)
		}
		worlds[call.World] = append(worlds[call.World], call)
	}
	return worlds, lines.Err()
}

// operations puts a world's calls as porcupine wants them. A call whose outcome is not known may take effect at any later time,
// so that its client is somebody else from then on; one that failed without effect, and a read that failed, show nothing.
func operations(calls []Call) []porcupine.Operation {
	sort.SliceStable(calls, func(a, b int) bool { return calls[a].Invoked < calls[b].Invoked })
	var all []porcupine.Operation
	for i := range calls {
		call := &calls[i]
		completed := call.Completed
		switch call.State {
		case "done":
		case "pending":
			completed = math.MaxInt64
		default:
			continue
		}
		all = append(all, porcupine.Operation{
			ClientId: call.Client, Input: call, Call: call.Invoked, Output: call, Return: completed,
		})
	}
	return all
}

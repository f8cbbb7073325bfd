// Command porcupine judges a history of calls to λFS: whether each world's part of it is linearizable against a model of a file
// system. It prints one line per world, OK, ILLEGAL or UNKNOWN (not decided in time), and then a summary. Exit code 0 where all are OK,
// 1 where one is not, 2 where the history cannot be read.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

func main() {
	out := flag.String("out", ".", "where the picture of each violation goes")
	limit := flag.Duration("timeout", 30*time.Second, "longest time for one world")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: porcupine [-out directory] [-timeout duration] history.jsonl")
		os.Exit(2)
	}
	worlds, err := load(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	verdicts := map[porcupine.CheckResult]int{}
	checked, pending := 0, 0
	for _, number := range sorted(worlds) {
		history := operations(worlds[number])
		for _, each := range history {
			if each.Input.(*Call).Pending() {
				pending++
			}
		}
		checked += len(history)
		verdict := judge(history, *limit, filepath.Join(*out, fmt.Sprintf("world-%d.html", number)))
		verdicts[verdict]++
		fmt.Printf("world %d: %s\n", number, label(verdict))
	}
	fmt.Printf("%d operations in %d worlds, %d pending: %d OK, %d ILLEGAL, %d UNKNOWN\n", checked, len(worlds), pending,
		verdicts[porcupine.Ok], verdicts[porcupine.Illegal], verdicts[porcupine.Unknown])
	if verdicts[porcupine.Ok] != len(worlds) {
		os.Exit(1)
	}
}

func label(verdict porcupine.CheckResult) string {
	switch verdict {
	case porcupine.Ok:
		return "OK"
	case porcupine.Illegal:
		return "ILLEGAL"
	}
	return "UNKNOWN"
}

func sorted(worlds map[int][]Call) []int {
	var numbers []int
	for number := range worlds {
		numbers = append(numbers, number)
	}
	sort.Ints(numbers)
	return numbers
}

// judge checks one world's history, and draws it where it is illegal.
func judge(history []porcupine.Operation, limit time.Duration, picture string) porcupine.CheckResult {
	verdict := porcupine.CheckOperationsTimeout(model(), history, limit)
	if verdict == porcupine.Illegal {
		_, info := porcupine.CheckOperationsVerbose(model(), history, limit)
		if err := porcupine.VisualizePath(model(), info, picture); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return verdict
}

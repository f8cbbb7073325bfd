// A file of 3 MB and names by colinmarc/hdfs at a door. Arguments: the door, a directory.
package main

import (
	"bytes"
	"errors"
	"io"
	"log"
	"math/rand"
	"os"

	"github.com/colinmarc/hdfs/v2"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect(holds bool, what string) {
	if !holds {
		log.Fatal(what)
	}
}

func main() {
	client, err := hdfs.New(os.Args[1])
	must(err)
	dir := os.Args[2]
	content := make([]byte, 3<<20+17)
	rand.New(rand.NewSource(7)).Read(content)
	must(client.MkdirAll(dir+"/deep", 0o755))

	out, err := client.Create(dir + "/deep/file")
	must(err)
	_, err = io.Copy(out, bytes.NewReader(content))
	must(err)
	must(out.Flush())
	must(out.Close())
	out, err = client.Append(dir + "/deep/file")
	must(err)
	_, err = out.Write([]byte("more"))
	must(err)
	must(out.Close())
	content = append(content, "more"...)

	must(client.Rename(dir+"/deep/file", dir+"/moved"))
	found, err := client.ReadFile(dir + "/moved")
	must(err)
	expect(bytes.Equal(found, content), "what was read is not what was written")
	in, err := client.Open(dir + "/moved")
	must(err)
	part := make([]byte, 1000)
	_, err = in.ReadAt(part, 777)
	must(err)
	expect(bytes.Equal(part, content[777:1777]), "a range is another")
	must(in.Close())

	must(client.Chmod(dir+"/moved", 0o640))
	status, err := client.Stat(dir + "/moved")
	must(err)
	expect(status.Size() == int64(len(content)) && status.Mode().Perm() == 0o640, "the status is another")
	entries, err := client.ReadDir(dir)
	must(err)
	expect(len(entries) == 2, "the listing is another")
	_, err = client.Stat(dir + "/none")
	expect(errors.Is(err, os.ErrNotExist), "found what is not there")
	must(client.RemoveAll(dir))
}

package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.dir;
import static io.lambdafs.functions.cache.Nodes.file;

import io.lambdafs.model.inode.INode;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The truth, and what is to be seen: versions of a directory's attributes and of two files, 0 for one that does not exist. */
@Param(name = "file", gen = IntGen.class, conf = "0:1")
public class StoredDirectory {
    final long[] versions = {1, 2};
    private long last = 2;
    private long attributes;
    private long id = 100;

    @Operation
    public String read(@Param(name = "file") int file) {
        return "directory " + attributes + ", file " + versions[file];
    }

    @Operation
    public String list() {
        return "directory " + attributes + ", files " + versions[0] + " " + versions[1];
    }

    @Operation
    public void write(@Param(name = "file") int file) {
        versions[file] = ++last;
    }

    @Operation
    public void remove(@Param(name = "file") int file) {
        versions[file] = 0;
    }

    @Operation
    public void chmod() {
        attributes++;
    }

    @Operation
    public void writeBoth(@Param(name = "file") int file) {
        attributes++;
        write(file);
    }

    /** Another directory of the same path, and empty. */
    @Operation
    public void replace() {
        id++;
        versions[0] = 0;
        versions[1] = 0;
    }

    @Operation
    public void rejoin() {}

    @Operation
    public void crowd() {}

    INode directory() {
        return dir(ROOT.id(), "d", id).withTimes(1, attributes);
    }

    INode node(int file) {
        return file(id, "f" + file, 1_000 + file, versions[file]);
    }
}

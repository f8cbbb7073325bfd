package io.lambdafs.door.hdfs.calls;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.FileWriter;
import io.lambdafs.hadoop.convert.Failures;
import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.MD5MD5CRC32FileChecksum;
import org.apache.hadoop.fs.Path;

/** Whole contents, for wires that know no blocks, for the user of the call. Thread-safe. */
public final class Contents {
    private final Users users;
    private final FileCalls files;

    public Contents(Users users, FileCalls files) {
        this.users = users;
        this.files = files;
    }

    public FileReader read(String src) throws IOException {
        return Failures.await(users.ofCaller().client().reader(Names.path(src)), src);
    }

    public FileWriter create(String src, FileCalls.Making how) throws IOException {
        return files.make(src, how).writer();
    }

    public FileWriter append(String src) throws IOException {
        return files.appender(src);
    }

    public BlockLocation[] locations(String src, long from, long length) throws IOException {
        return users.ofCaller().getFileBlockLocations(new Path(src), from, length);
    }

    /** Returns HDFS's checksum of a whole file. */
    public MD5MD5CRC32FileChecksum checksum(String src) throws IOException {
        if (users.ofCaller().getFileChecksum(new Path(src)) instanceof MD5MD5CRC32FileChecksum known) {
            return known;
        }
        throw new IOException(src + " has no checksum of HDFS's kind");
    }
}

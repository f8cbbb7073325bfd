package io.lambdafs.door.hdfs;

import io.lambdafs.client.FileWriter;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.LambdaFileSystem;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.io.EnumSetWritable;
import org.jspecify.annotations.Nullable;

/** Answers calls on contents, for the user of the connection. Public methods are the protocol's. Thread-safe. */
final class FileCalls {
    private static final byte[] NOTHING = {};

    private final Users users;
    private final WrittenFiles written;
    private final BlockMap blocks;
    private final CallIds ids;

    FileCalls(Users users, WrittenFiles written, BlockMap blocks, CallIds ids) {
        this.ids = ids;
        this.users = users;
        this.written = written;
        this.blocks = blocks;
    }

    public LocatedBlocks getBlockLocations(String src, long offset, long length) throws IOException {
        FsPath path = Names.path(src);
        // Checks that the user may read it.
        Attributes file =
                Failures.await(users.ofCaller().client().open(path), src).attributes();
        return blocks.of(file, path, Users.caller(), offset, length);
    }

    public HdfsFileStatus create(
            String src,
            FsPermission masked,
            String clientName,
            EnumSetWritable<CreateFlag> flag,
            boolean createParent,
            short replication,
            long blockSize,
            CryptoProtocolVersion @Nullable [] versions,
            @Nullable String ecPolicy,
            @Nullable String storagePolicy)
            throws IOException {
        EnumSet<CreateFlag> flags = flag.get();
        if (ecPolicy != null && !ecPolicy.isEmpty()) {
            throw new UnsupportedOperationException("λFS has no erasure coding policies: " + ecPolicy);
        }
        FsPath path = Names.path(src);
        LambdaFs fs = users.ofCaller().client();
        if (!flags.contains(CreateFlag.CREATE)) {
            // Overwrites only: the target must exist.
            Failures.await(fs.stat(path), src);
        }
        Reply.Status made;
        FileWriter writer;
        try {
            Operation<Reply.Status> operation = new FileOperation.Create(
                    path,
                    Names.mode(masked),
                    Names.unmasked(masked),
                    flags.contains(CreateFlag.OVERWRITE),
                    createParent,
                    replication,
                    blockSize,
                    NOTHING,
                    null);
            made = Failures.await(fs.execute(operation, ids.ofCall()), src);
            writer = fs.writer(path, made.file());
        } catch (FsException refused) {
            throw Failures.of(refused, src);
        } catch (IOException e) {
            throw Names.isCode(e, ErrorCode.IS_A_DIRECTORY) ? alreadyExists(e) : e;
        }
        if (storagePolicy == null || storagePolicy.isEmpty()) {
            return begin(clientName, path, made.attributes(), writer);
        }
        Failures.await(fs.setStoragePolicy(path, storagePolicy), src);
        return begin(clientName, path, fs, writer);
    }

    private HdfsFileStatus begin(String client, FsPath path, LambdaFs fs, FileWriter writer) throws IOException {
        Attributes file;
        try {
            file = Failures.await(fs.stat(path), path.toString());
        } catch (IOException e) {
            Failures.run(writer::abandon, path.toString());
            throw e;
        }
        return begin(client, path, file, writer);
    }

    private HdfsFileStatus begin(String client, FsPath path, Attributes file, FileWriter writer) throws IOException {
        try {
            written.add(new WrittenFile(
                    new WrittenFile.Opening(client, Users.caller(), path, BlockMap.blockSize(file)), writer));
            return Statuses.asked(file, null);
        } catch (IOException e) {
            Failures.run(writer::abandon, path.toString());
            throw e;
        }
    }

    private static IOException alreadyExists(IOException directory) {
        IOException e = new FileAlreadyExistsException(directory.getMessage());
        e.initCause(directory);
        return e;
    }

    /** Answers without the last block: appended bytes begin a new one. */
    public LastBlockWithStatus append(String src, String clientName, EnumSetWritable<CreateFlag> flag)
            throws IOException {
        FsPath path = Names.path(src);
        LambdaFs fs = users.ofCaller().client();
        FileWriter writer;
        try {
            writer = appender(fs, path);
        } catch (IOException e) {
            throw Names.isCode(e, ErrorCode.IS_A_DIRECTORY) ? alreadyExists(e) : e;
        }
        return new LastBlockWithStatus(null, begin(clientName, path, fs, writer));
    }

    private FileWriter appender(LambdaFs fs, FsPath path) throws IOException {
        String src = path.toString();
        try {
            return Failures.await(fs.appender(path), src);
        } catch (IOException e) {
            if (!Names.isCode(e, ErrorCode.BEING_WRITTEN)) {
                throw e;
            }
            if (!written.closeSilent(src)) {
                // HDFS's exception, on which its clients wait and try again.
                throw new AlreadyBeingCreatedException(e.getMessage());
            }
            return Failures.await(fs.appender(path), src);
        }
    }

    private WrittenFile file(long fileId, String src, String client) throws IOException {
        return written.of(fileId, src, Users.caller(), client);
    }

    public LocatedBlock addBlock(
            String src,
            String clientName,
            @Nullable ExtendedBlock previous,
            DatanodeInfo @Nullable [] excludeNodes,
            long fileId,
            String @Nullable [] favoredNodes,
            EnumSet<AddBlockFlag> flags)
            throws IOException {
        if (excludeNodes != null
                && Arrays.stream(excludeNodes)
                        .anyMatch(node -> node.getXferPort() == blocks.door().getXferPort())) {
            throw new IOException(src + ": the door is its only datanode, and the client excludes it");
        }
        return file(fileId, src, clientName).next(previous, blocks);
    }

    public void abandonBlock(ExtendedBlock block, long fileId, String src, String holder) throws IOException {
        file(fileId, src, holder).abandonBlock(block);
    }

    public void fsync(String src, long fileId, String client, long lastBlockLength) throws IOException {
        file(fileId, src, client).sync();
    }

    public boolean complete(String src, String clientName, @Nullable ExtendedBlock last, long fileId)
            throws IOException {
        WrittenFile file = file(fileId, src, clientName);
        try {
            file.complete(last);
        } finally {
            if (file.isOver()) {
                written.remove(file);
            }
        }
        return true;
    }

    /** Only for files written through this door. */
    public void renewLease(String clientName, @Nullable List<String> namespaces) throws IOException {
        written.renew(Users.caller(), clientName);
    }

    public boolean isFileClosed(String src) throws IOException {
        boolean closed = users.ofCaller().isFileClosed(new Path(src));
        return closed && !written.isWritten(src);
    }

    public boolean recoverLease(String src, String clientName) throws IOException {
        LambdaFileSystem fs = users.ofCaller();
        Path path = new Path(src);
        if (written.isWritten(src)) {
            // A user who may not write a file may not close it.
            fs.access(path, FsAction.WRITE);
            written.close(src);
        }
        return fs.recoverLease(path);
    }

    public boolean truncate(String src, long newLength, String clientName) throws IOException {
        return users.ofCaller().truncate(new Path(src), newLength);
    }

    public void concat(String target, String[] sources) throws IOException {
        users.ofCaller()
                .concat(new Path(target), Arrays.stream(sources).map(Path::new).toArray(Path[]::new));
    }
}

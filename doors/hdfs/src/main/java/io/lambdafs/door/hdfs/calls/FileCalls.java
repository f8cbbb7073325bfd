package io.lambdafs.door.hdfs.calls;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.FileWriter;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.LambdaFileSystem;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
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
public final class FileCalls {
    private static final byte[] NOTHING = {};

    private final Users users;
    private final WrittenFiles written;
    private final BlockMap blocks;
    private final CallIds ids;
    private final Successors successors;

    public FileCalls(Users users, WrittenFiles written, BlockMap blocks, CallIds ids, Successors successors) {
        this.ids = ids;
        this.users = users;
        this.written = written;
        this.blocks = blocks;
        this.successors = successors;
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
        if (ecPolicy != null && !ecPolicy.isEmpty()) {
            throw new UnsupportedOperationException("λFS has no erasure coding policies: " + ecPolicy);
        }
        FsPath path = Names.path(src);
        Made made = make(src, new Making(masked, flag.get(), createParent, replication, blockSize));
        if (storagePolicy == null || storagePolicy.isEmpty()) {
            return begin(clientName, path, made.file(), made.writer());
        }
        LambdaFs fs = users.ofCaller().client();
        Failures.await(fs.setStoragePolicy(path, storagePolicy), src);
        return begin(clientName, path, fs, made.writer());
    }

    /** The way to make a file. */
    public record Making(
            FsPermission masked, EnumSet<CreateFlag> flags, boolean createParent, short replication, long blockSize) {}

    /** A new file, and its writer. */
    record Made(Attributes file, FileWriter writer) {}

    Made make(String src, Making how) throws IOException {
        FsPath path = Names.path(src);
        LambdaFs fs = users.ofCaller().client();
        if (!how.flags().contains(CreateFlag.CREATE)) {
            // Overwrites only: the target must exist.
            Failures.await(fs.stat(path), src);
        }
        try {
            Operation<Reply.Status> operation = new FileOperation.Create(
                    path,
                    Names.mode(how.masked()),
                    Names.unmasked(how.masked()),
                    how.flags().contains(CreateFlag.OVERWRITE),
                    how.createParent(),
                    how.replication(),
                    how.blockSize(),
                    NOTHING,
                    null);
            Reply.Status made = Failures.await(fs.execute(operation, ids.ofCall()), src);
            return new Made(made.attributes(), fs.writer(path, made.file()));
        } catch (FsException refused) {
            throw Failures.of(refused, src);
        } catch (IOException e) {
            throw Names.isCode(e, ErrorCode.IS_A_DIRECTORY) ? alreadyExists(e) : e;
        }
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
                    new WrittenFile.Opening(client, Users.caller(), path, BlockMap.blockSize(file), blocks.hasOthers()),
                    writer));
            return Statuses.written(file);
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
        FileWriter writer = appender(src);
        return new LastBlockWithStatus(
                null, begin(clientName, Names.path(src), users.ofCaller().client(), writer));
    }

    FileWriter appender(String src) throws IOException {
        try {
            return appender(users.ofCaller().client(), Names.path(src));
        } catch (IOException e) {
            throw Names.isCode(e, ErrorCode.IS_A_DIRECTORY) ? alreadyExists(e) : e;
        }
    }

    private FileWriter appender(LambdaFs fs, FsPath path) throws IOException {
        String src = path.toString();
        IntFunction<RequestId> requests = ids.ofSteps();
        try {
            return Failures.await(fs.appender(path, requests.apply(0)), src);
        } catch (IOException e) {
            if (!Names.isCode(e, ErrorCode.BEING_WRITTEN)) {
                throw e;
            }
        }
        written.closeSilent(src);
        try {
            return Failures.await(fs.appender(path, requests.apply(1)), src);
        } catch (IOException e) {
            // HDFS's exception, on which its clients wait and try again.
            throw Names.isCode(e, ErrorCode.BEING_WRITTEN) ? new AlreadyBeingCreatedException(e.getMessage()) : e;
        }
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
        Set<String> excluded = excludeNodes == null
                ? Set.of()
                : Arrays.stream(excludeNodes).map(DatanodeInfo::getDatanodeUuid).collect(Collectors.toSet());
        return successors
                .of(new Successors.Claim(fileId, src, clientName), previous)
                .next(previous, excluded, blocks);
    }

    public void abandonBlock(ExtendedBlock block, long fileId, String src, String holder) throws IOException {
        successors.of(new Successors.Claim(fileId, src, holder), block).abandonBlock(block);
    }

    public void fsync(String src, long fileId, String client, long lastBlockLength) throws IOException {
        Successors.Claim claim = new Successors.Claim(fileId, src, client);
        if (!successors.isDurable(claim)) {
            written.of(fileId, src, Users.caller(), client).sync();
        }
    }

    public boolean complete(String src, String clientName, @Nullable ExtendedBlock last, long fileId)
            throws IOException {
        Successors.Claim claim = new Successors.Claim(fileId, src, clientName);
        if (successors.isClosed(claim, last)) {
            return true;
        }
        WrittenFile file = successors.of(claim, last);
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
        FsPath to = Names.path(target);
        List<FsPath> from = new ArrayList<>();
        for (String source : sources) {
            from.add(Names.path(source));
        }
        IntFunction<RequestId> requests = ids.ofSteps();
        BlockingLambdaFs client = new BlockingLambdaFs(users.ofCaller().client());
        try {
            Failures.run(() -> client.concat(to, from, requests), target);
        } catch (IOException e) {
            if (!Names.isCode(e, ErrorCode.IS_A_DIRECTORY)) {
                throw e;
            }
            IOException directory = new FileNotFoundException(e.getMessage());
            directory.initCause(e);
            throw directory;
        }
    }
}

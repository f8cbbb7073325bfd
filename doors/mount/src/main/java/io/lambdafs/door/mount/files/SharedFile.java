package io.lambdafs.door.mount.files;

import io.lambdafs.client.FileReader;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.OpenFile;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that processes of this machine have open, one for all of them. It is in one of three states: unchanged, when
 * it is read from the cluster; streamed, when what is written follows the end and goes straight there; and local, when
 * all of it is in a {@link Scratch}, because it is new and small, is written elsewhere than at its end, or is read while
 * it is new. {@link #flush} publishes what was written, atomically if it was local. Thread-safe: one call at a time, but
 * for reads of what is stored.
 */
public final class SharedFile {
    private static final Logger LOG = LoggerFactory.getLogger(SharedFile.class);

    private final Mounted mounted;
    private final Node node;
    private final Upload upload;
    private final Times times = new Times();
    private final ReentrantLock using = new ReentrantLock();

    /** The attributes that arrived last from the cluster. */
    private Attributes stored;

    /** Its length there. */
    private long storedLength;

    /** Number of changes made here: attributes that arrive from the cluster may be older than the latest. */
    private long changes;

    /** The handle of a file that was made here and has no contents yet. */
    private @Nullable OpenFile fresh;

    private @Nullable FileReader reader;
    private @Nullable Stream stream;
    private @Nullable Scratch local;
    private boolean dirty;
    private boolean deleted;
    private boolean hidden;
    /** Why streamed bytes are lost; kept until the last close. */
    private @Nullable Errno lost;

    private int readers;
    private int writers;

    /** @param fresh of a file just made; null for another */
    SharedFile(Mounted mounted, Node node, Attributes stored, @Nullable OpenFile fresh) {
        this.mounted = mounted;
        this.node = node;
        this.upload = new Upload(mounted, node);
        this.stored = stored;
        this.storedLength = stored.size();
        this.fresh = fresh;
    }

    Node node() {
        return node;
    }

    /** Something done to the file by one thread. */
    private interface Step<T> {
        T run() throws InterruptedException;
    }

    private <T> T alone(Step<T> step) throws InterruptedException {
        using.lock();
        try {
            return step.run();
        } finally {
            using.unlock();
        }
    }

    /** Returns how many changes were made here, to be told to those methods that take what the file system tells. */
    public long changes() throws InterruptedException {
        return alone(() -> changes);
    }

    /** Notes that it was opened. */
    void opened(Access access) throws InterruptedException {
        alone(() -> {
            readers += access.reads() ? 1 : 0;
            writers += access.writes() ? 1 : 0;
            return true;
        });
    }

    /** Takes a reader by which it was opened. */
    void take(FileReader opening, long seen) throws InterruptedException {
        alone(() -> {
            observe(opening.attributes(), seen);
            if (reader == null && seen == changes) {
                reader = opening;
            } else {
                opening.close();
            }
            return true;
        });
    }

    private void observe(Attributes found, long seen) {
        if (seen != changes || stream != null || dirty || deleted) {
            return;
        }
        if (found.size() != stored.size() || found.mtime() != stored.mtime() || found.id() != stored.id()) {
            dropReader();
            dropLocal();
        }
        stored = found;
        storedLength = found.size();
    }

    /**
     * Returns its attributes, with the length and the time that writes here gave it.
     *
     * @param found as the file system tells them; null for those that it told last
     */
    public Attributes attributes(@Nullable Attributes found, long seen) throws InterruptedException {
        return alone(() -> {
            if (found != null) {
                observe(found, seen);
            }
            Attributes base = found == null ? stored : found;
            boolean pending = stream != null || dirty || deleted;
            if (!pending && seen == changes) {
                return base;
            }
            return new Attributes(
                    base.name(),
                    base.id(),
                    base.traits(),
                    length(),
                    pending ? times.mtimeToTell(base.mtime()) : base.mtime(),
                    times.atimeToTell(base.atime()),
                    0);
        });
    }

    private long length() {
        return local != null ? local.size() : stream != null ? stream.end() : storedLength;
    }

    /** Reads bytes, fewer than asked for only at the end. */
    public ByteBuffer read(long from, int count) throws InterruptedException {
        while (true) {
            FileReader source;
            using.lock();
            try {
                checkNotLost();
                if (local != null) {
                    return local.read(from, count);
                }
                if (from >= length()) {
                    return ByteBuffer.allocate(0);
                }
                source = reader();
            } finally {
                using.unlock();
            }
            try {
                return Reads.all(source, from, count);
            } catch (FsException e) {
                if (!isOver(source, e)) {
                    throw e;
                }
            }
        }
    }

    /** Returns whether a reader has ended because the file was moved, or was replaced here, so that another may go on. */
    private boolean isOver(FileReader source, FsException why) throws InterruptedException {
        return alone(() -> {
            boolean elsewhere = why.code() == ErrorCode.NOT_FOUND || why.code() == ErrorCode.PERMISSION_DENIED;
            if (reader != source) {
                return elsewhere || why.code() == ErrorCode.INTERRUPTED;
            }
            if (elsewhere) {
                dropReader();
                reader();
            }
            return elsewhere;
        });
    }

    private FileReader reader() throws InterruptedException {
        if (stream != null && stream.isUnsynced()) {
            orLose(stream::sync);
            dropReader();
        }
        FileReader known = reader;
        if (known == null) {
            known = upload.reader();
            reader = known;
        }
        return known;
    }

    private void dropReader() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    private void dropLocal() {
        if (local != null) {
            local.close();
            local = null;
        }
        dirty = false;
    }

    /**
     * Writes bytes.
     *
     * @param append whether they go to the end, wherever that is
     */
    public int write(long offset, ByteBuffer bytes, boolean append) throws InterruptedException {
        return alone(() -> {
            checkNotLost();
            changes++;
            int count = bytes.remaining();
            if (local == null && stream == null) {
                begin(offset, append);
            }
            long at = append ? length() : offset;
            if (stream != null && at != stream.end()) {
                localize();
            }
            if (local == null) {
                send(bytes);
            } else {
                writeHere(local, at, bytes);
            }
            times.written();
            return count;
        });
    }

    /** Chooses the state for the first write. */
    private void begin(long offset, boolean append) throws InterruptedException {
        if (fresh != null || (storedLength == 0 && !append)) {
            local = new Scratch(mounted.space());
        } else if (append || offset == storedLength) {
            stream = new Stream(upload.append());
        } else {
            localize();
        }
    }

    private void send(ByteBuffer bytes) throws InterruptedException {
        Stream to = stream;
        if (to == null) {
            throw new IllegalStateException("it is not streamed");
        }
        orLose(() -> to.write(bytes));
    }

    private void writeHere(Scratch here, long at, ByteBuffer bytes) throws InterruptedException {
        OpenFile file = fresh;
        boolean isLong = here.isInMemory() && at + bytes.remaining() > Scratch.MEMORY_BYTES;
        if (isLong && at == here.size() && file != null && readers == 0 && !deleted) {
            // New, and written in order so far.
            stream = new Stream(upload.writer(file));
            fresh = null;
            local = null;
            dirty = false;
            here.copyTo(this::send);
            here.close();
            send(bytes);
            return;
        }
        here.write(at, bytes);
        dirty = true;
    }

    private interface Change {
        void run() throws InterruptedException;
    }

    private void orLose(Change change) throws InterruptedException {
        try {
            change.run();
        } catch (FsException e) {
            LOG.warn("What was written to {} is lost: {}", shown(), e.toString());
            stream = null;
            lost = Errno.of(e);
            throw e;
        }
    }

    private void checkNotLost() {
        if (lost != null) {
            throw lost.failure();
        }
    }

    /** Brings all contents here. */
    private void localize() throws InterruptedException {
        finishStream();
        if (local != null) {
            return;
        }
        Scratch here = new Scratch(mounted.space());
        try {
            if (storedLength > 0) {
                FileReader source = reader();
                for (long at = 0; at < source.length(); at = here.size()) {
                    here.write(at, Reads.all(source, at, Scratch.MEMORY_BYTES));
                }
            }
            local = here;
        } finally {
            if (local == null) {
                here.close();
            }
        }
    }

    private void finishStream() throws InterruptedException {
        Stream finished = stream;
        if (finished != null) {
            orLose(finished::finish);
            stream = null;
            storedLength = finished.end();
            changes++;
            dropReader();
        }
    }

    /** Publishes what was written, durably. */
    public void flush() throws InterruptedException {
        alone(() -> {
            checkNotLost();
            if (deleted || (stream == null && !dirty)) {
                return false;
            }
            finishStream();
            if (local != null && dirty) {
                publish(local);
            }
            times.apply(upload);
            return true;
        });
    }

    private void publish(Scratch contents) throws InterruptedException {
        changes++;
        if (contents.size() > 0) {
            put(contents);
        } else if (storedLength > 0) {
            upload.truncate(0);
        }
        dirty = false;
        storedLength = contents.size();
        dropReader();
        if (readers == 0) {
            dropLocal();
        } else {
            // Both sides have the same contents now.
            stored = upload.attributes();
        }
    }

    private void put(Scratch contents) throws InterruptedException {
        OpenFile file = fresh;
        fresh = null;
        boolean filled = false;
        if (file != null) {
            filled = upload.fill(upload.writer(file), contents);
        } else if (storedLength == 0) {
            filled = upload.fill(upload.append(), contents);
        }
        if (!filled) {
            upload.replace(contents);
        }
    }

    /** Makes what was written durable. */
    public void sync() throws InterruptedException {
        boolean streams = alone(() -> {
            checkNotLost();
            if (stream != null && stream.isUnsynced()) {
                orLose(stream::sync);
                dropReader();
            }
            return stream != null;
        });
        if (!streams) {
            flush();
        }
    }

    /** Cuts or lengthens it. */
    public void truncate(long length) throws InterruptedException {
        alone(() -> {
            checkNotLost();
            if (length == length()) {
                return false;
            }
            changes++;
            if (local == null && stream == null && length < storedLength) {
                upload.truncate(length);
                storedLength = length;
                dropReader();
                return true;
            }
            localize();
            if (local != null) {
                local.truncate(length);
            }
            dirty = true;
            times.written();
            return true;
        });
    }

    /** Notes times that were set: what is still to be published would change them. */
    public void timesSet(long mtime, long atime) throws InterruptedException {
        alone(() -> {
            if (stream != null || dirty || deleted) {
                times.set(mtime, atime);
            }
            return true;
        });
    }

    /**
     * Brings all contents here, for the file is about to lose its name.
     *
     * @return false if they are more than so many bytes, or there is no room
     */
    public boolean prepareDeletion(long mostBytes) throws InterruptedException {
        return alone(() -> {
            try {
                if (local == null && length() > mostBytes) {
                    return false;
                }
                localize();
                return true;
            } catch (ErrnoException full) {
                return false;
            }
        });
    }

    /** Notes that its name is gone: what it holds is here, and is not published any more. */
    public void deleted() throws InterruptedException {
        alone(() -> {
            deleted = true;
            return true;
        });
    }

    /** Notes that its name is hidden from programs. */
    public void hidden() throws InterruptedException {
        alone(() -> {
            hidden = true;
            return true;
        });
    }

    public boolean isDeleted() throws InterruptedException {
        return alone(() -> deleted);
    }

    /** Returns whether programs do not see it under any name. */
    public boolean isNameless() throws InterruptedException {
        return alone(() -> deleted || hidden);
    }

    /** Ends one use of it. The last writer's end publishes what is left. */
    void closed(Access access) throws InterruptedException {
        alone(() -> {
            readers -= access.reads() ? 1 : 0;
            writers -= access.writes() ? 1 : 0;
            if (access.writes() && writers == 0) {
                flushAtEnd();
                if (!deleted) {
                    dropLocal();
                }
            }
            return true;
        });
    }

    private void flushAtEnd() throws InterruptedException {
        try {
            if (lost == null) {
                flush();
            }
        } catch (FsException | ErrnoException e) {
            LOG.error("What was written to {} is lost: {}", shown(), e.toString());
        }
    }

    private String shown() {
        try {
            return "\"" + mounted.nodes().path(node) + "\"";
        } catch (ErrnoException gone) {
            return "a deleted file";
        }
    }

    /** Gives back all that it has. */
    void end() throws InterruptedException {
        alone(() -> {
            dropReader();
            dropLocal();
            return true;
        });
    }
}

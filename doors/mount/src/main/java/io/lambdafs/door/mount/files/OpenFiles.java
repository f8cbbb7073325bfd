package io.lambdafs.door.mount.files;

import io.lambdafs.client.FileReader;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.OpenFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The open files of a mount, by the numbers of the kernel's handles. Thread-safe. */
public final class OpenFiles {
    private final Mounted mounted;
    private final Map<Long, Handle> handles = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    /** By the kernel's number of the node. */
    private final Map<Long, Use> used = new HashMap<>();

    /** An open file. */
    public record Handle(SharedFile file, Access access) {}

    /**
     * The results of the requests that opened a file.
     *
     * @param told its attributes
     * @param fresh the handle of a file just made; null for another
     * @param reader null if it was not opened for reading
     * @param seen the changes that were made here before it was asked for; 0 if it was not open
     */
    public record Opening(
            Attributes told,
            @Nullable OpenFile fresh,
            @Nullable FileReader reader,
            long seen) {}

    private static final class Use {
        final SharedFile file;
        int handles;

        Use(SharedFile file) {
            this.file = file;
        }
    }

    public OpenFiles(Mounted mounted) {
        this.mounted = mounted;
    }

    /** Opens a file; returns the number of its handle. */
    public long open(Node node, Access access, Opening by) throws InterruptedException {
        SharedFile file = use(node, by.told(), by.fresh());
        file.opened(access);
        if (by.reader() != null) {
            file.take(by.reader(), by.seen());
        }
        long number = numbers.incrementAndGet();
        handles.put(number, new Handle(file, access));
        return number;
    }

    private synchronized SharedFile use(Node node, Attributes told, @Nullable OpenFile fresh) {
        Use use = used.computeIfAbsent(node.id(), id -> new Use(new SharedFile(mounted, node, told, fresh)));
        use.handles++;
        return use.file;
    }

    /** Returns the open file of a node; null if it is not open. */
    public synchronized @Nullable SharedFile of(@Nullable Node node) {
        Use use = node == null ? null : used.get(node.id());
        return use == null ? null : use.file;
    }

    /** @throws ErrnoException {@code EBADF} if there is none */
    public Handle handle(long number) {
        Handle found = handles.get(number);
        if (found == null) {
            throw Errno.EBADF.failure();
        }
        return found;
    }

    /** Closes a handle; returns its file if that was the last one. */
    public @Nullable Node close(long number) throws InterruptedException {
        Handle closed = handles.remove(number);
        if (closed == null) {
            return null;
        }
        closed.file().closed(closed.access());
        if (isUnused(closed.file().node())) {
            closed.file().end();
            return closed.file().node();
        }
        return null;
    }

    private synchronized boolean isUnused(Node node) {
        Use use = used.get(node.id());
        if (use == null || --use.handles > 0) {
            return false;
        }
        used.remove(node.id());
        return true;
    }

    /** Closes all handles, which publishes what is left. */
    public void closeAll() throws InterruptedException {
        for (long number : List.copyOf(handles.keySet())) {
            close(number);
        }
    }

    /** Returns how many files are open. */
    public synchronized int count() {
        return used.size();
    }
}

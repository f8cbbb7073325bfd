package io.lambdafs.door.mount.calls;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.names.NodeTable;
import io.lambdafs.door.mount.wire.Answer;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.FileStatus;
import io.lambdafs.door.mount.wire.Request;
import io.lambdafs.model.inode.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Calls on listings. Thread-safe. */
final class DirectoryCalls {
    private static final int ENTRY_BYTES = 24;
    private static final int PLUS_BYTES = 128;
    private static final int ALIGNMENT = 8;

    private final Mounted mounted;
    private final NodeTable nodes;
    private final Told told;
    private final long validMillis;
    private final Map<Long, OpenDirectory> open = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    DirectoryCalls(Mounted mounted, Told told, long validMillis) {
        this.mounted = mounted;
        this.nodes = mounted.nodes();
        this.told = told;
        this.validMillis = validMillis;
    }

    Answer open(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        LambdaFs fs = mounted.callers().of(request);
        OpenDirectory directory =
                new OpenDirectory(from -> mounted.at(node, path -> await(fs.list(path, from, OpenDirectory.PAGE))));
        directory.rewind();
        long number = numbers.incrementAndGet();
        open.put(number, directory);
        return Answer.opened(number, 0);
    }

    /** @param plus whether the kernel learns of each child, with its attributes */
    Answer read(Request request, boolean plus) throws InterruptedException {
        Node node = nodes.of(request.node());
        OpenDirectory directory = open.get(request.int64());
        if (directory == null) {
            throw Errno.EBADF.failure();
        }
        long offset = request.int64();
        Answer answer = Answer.of(request.int32());
        synchronized (directory) {
            if (offset == 0) {
                directory.rewind();
            }
            for (long at = offset; ; at++) {
                Attributes child = at < 2 ? null : directory.child(at - 2);
                if (at >= 2 && child == null) {
                    return answer;
                }
                Child entry = child == null
                        ? new Child(at == 0 ? "." : "..", node.id(), FileStatus.DIRECTORY >> 12, at + 1)
                        : new Child(child.name(), nodes.idOf(child.id()), type(child), at + 1);
                if (!answer.hasRoom(entry.length() + (plus ? PLUS_BYTES : 0))) {
                    return answer;
                }
                if (plus) {
                    if (child != null) {
                        answer.putEntry(told.entry(node, child.name(), child, 0), validMillis);
                    } else {
                        // The kernel knows both already.
                        answer.putBytes(new byte[PLUS_BYTES]);
                    }
                }
                entry.put(answer);
            }
        }
    }

    /** Returns the kind as listings have it; 0 for one that only a look tells. */
    private static int type(Attributes child) {
        if (child.isDirectory()) {
            return FileStatus.DIRECTORY >> 12;
        }
        return Links.mayBe(child) ? 0 : FileStatus.FILE >> 12;
    }

    Answer release(Request request) {
        open.remove(request.int64());
        return Answer.done();
    }

    /**
     * An entry.
     *
     * @param next where the one after it is
     */
    private record Child(String name, long node, int type, long next) {
        private byte[] bytes() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        private static int padded(int length) {
            return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }

        int length() {
            return ENTRY_BYTES + padded(bytes().length);
        }

        void put(Answer answer) {
            byte[] text = bytes();
            answer.putLong(node)
                    .putLong(next)
                    .putInt(text.length)
                    .putInt(type)
                    .putBytes(text)
                    .putBytes(new byte[padded(text.length) - text.length]);
        }
    }
}

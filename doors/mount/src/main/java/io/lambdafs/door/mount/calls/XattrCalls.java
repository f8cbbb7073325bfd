package io.lambdafs.door.mount.calls;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.names.NodeTable;
import io.lambdafs.door.mount.wire.Answer;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.Request;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** Calls on extended attributes: those named {@code user.…}, and for a superuser {@code trusted.…}. Thread-safe. */
final class XattrCalls {
    private static final int CREATE = 1;
    private static final int REPLACE = 2;

    private final Mounted mounted;
    private final NodeTable nodes;

    XattrCalls(Mounted mounted) {
        this.mounted = mounted;
        this.nodes = mounted.nodes();
    }

    private static boolean isKept(String name) {
        return (name.startsWith("user.") || name.startsWith("trusted.")) && !name.equals(Links.TARGET);
    }

    Answer set(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        int size = request.int32();
        int flags = request.int32();
        String name = request.text();
        byte[] value = new byte[Math.max(0, size)];
        request.bytes(size).get(value);
        if (!isKept(name)) {
            throw Errno.EOPNOTSUPP.failure();
        }
        LambdaFs fs = mounted.callers().of(request);
        mounted.at(node, path -> await(fs.setXattr(path, name, value, (flags & REPLACE) == 0, (flags & CREATE) == 0)));
        return Answer.done();
    }

    Answer get(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        int size = request.int32();
        request.skip(Integer.BYTES);
        String name = request.text();
        if (!isKept(name)) {
            // The kernel itself asks for some before every write.
            throw Errno.ENODATA.failure();
        }
        LambdaFs fs = mounted.callers().of(request);
        byte[] value =
                mounted.at(node, path -> await(fs.xattrs(path, Set.of(name)))).get(name);
        if (value == null) {
            throw Errno.ENODATA.failure();
        }
        return sized(value, size);
    }

    Answer list(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        int size = request.int32();
        LambdaFs fs = mounted.callers().of(request);
        Map<String, byte[]> found = mounted.at(node, path -> await(fs.xattrs(path, false)));
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String name : found.keySet()) {
            if (name.equals(Links.TARGET)) {
                continue;
            }
            names.writeBytes(name.getBytes(StandardCharsets.UTF_8));
            names.write(0);
        }
        return sized(names.toByteArray(), size);
    }

    /** Returns bytes, or how many there are if none are asked for. */
    private static Answer sized(byte[] value, int size) {
        if (size == 0) {
            return Answer.of(2 * Integer.BYTES).putInt(value.length).putInt(0);
        }
        if (value.length > size) {
            throw Errno.ERANGE.failure();
        }
        return Answer.data(ByteBuffer.wrap(value));
    }

    Answer remove(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        String name = request.text();
        if (!isKept(name)) {
            throw Errno.EOPNOTSUPP.failure();
        }
        LambdaFs fs = mounted.callers().of(request);
        mounted.at(node, path -> await(fs.removeXattr(path, name)));
        return Answer.done();
    }
}

package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The shared clients of this process, one per cluster, user and settings, reference-counted by file systems.
 * Thread-safe.
 */
final class SharedClients {
    private static final String CLOSED = "Filesystem closed";
    private static final SharedClients PROCESS = new SharedClients();

    private final Map<Key, Shared> open = new HashMap<>();

    /** A recreated cluster has another gateway or file content, so both are in the key. */
    private record Key(Settings settings, URI gateway, int deployments) {}

    private static final class Shared {
        private final LambdaFs client;
        private int users;

        Shared(LambdaFs client) {
            this.client = client;
        }
    }

    /** One file system's use of a client, with its streams open for writing. Thread-safe. */
    static final class Use {
        private final Key key;
        private final LambdaFs client;
        private final Set<Closeable> writing = ConcurrentHashMap.newKeySet();
        private volatile boolean ended;

        private Use(Key key, LambdaFs client) {
            this.key = key;
            this.client = client;
        }

        /** @throws IOException HDFS's, once this use has ended, even if the client has other users */
        LambdaFs client() throws IOException {
            checkOpen();
            return client;
        }

        void checkOpen() throws IOException {
            if (ended) {
                throw new IOException(CLOSED);
            }
        }

        void opened(Closeable stream) {
            writing.add(stream);
        }

        void closed(Closeable stream) {
            writing.remove(stream);
        }

        /** Closes the streams open for writing, as in HDFS, keeping what was written. Throws the first failure. */
        void closeStreams() throws IOException {
            IOException first = null;
            for (Closeable stream : writing) {
                try {
                    stream.close();
                } catch (IOException e) {
                    if (first == null) {
                        first = e;
                    } else {
                        first.addSuppressed(e);
                    }
                }
            }
            if (first != null) {
                throw first;
            }
        }

        /** Ends the use; the last one closes the client. Idempotent. */
        void end() {
            PROCESS.end(this);
        }
    }

    static Use use(Settings settings) throws IOException {
        return PROCESS.begin(settings);
    }

    private Use begin(Settings settings) throws IOException {
        ClientConfig config = settings.clientConfig();
        Key key = new Key(settings, config.gateway(), config.deployments());
        synchronized (this) {
            Shared shared = open.computeIfAbsent(key, missing -> new Shared(LambdaFs.open(config)));
            shared.users++;
            return new Use(key, shared.client);
        }
    }

    private void end(Use use) {
        synchronized (this) {
            Shared shared = open.get(use.key);
            boolean first = !use.ended;
            use.ended = true;
            if (!first || shared == null) {
                return;
            }
            shared.users--;
            if (shared.users > 0) {
                return;
            }
            open.remove(use.key);
        }
        use.client.close();
    }
}

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

/** The clients of this process, one per cluster, user and settings, counted by the file systems that use them. Thread-safe. */
final class SharedClients {
    private static final String CLOSED = "Filesystem closed";
    private static final SharedClients PROCESS = new SharedClients();

    private final Map<Key, Shared> open = new HashMap<>();

    /** A cluster that was started anew has another gateway or is another one by its file: both are in the key. */
    private record Key(Settings settings, URI gateway, int deployments) {}

    private static final class Shared {
        private final LambdaFs client;
        private int users;

        Shared(LambdaFs client) {
            this.client = client;
        }
    }

    /** One file system's use of a client, and the streams that it has open for writing. Thread-safe. */
    static final class Use {
        private final Key key;
        private final LambdaFs client;
        private final Set<Closeable> writing = ConcurrentHashMap.newKeySet();
        private volatile boolean ended;

        private Use(Key key, LambdaFs client) {
            this.key = key;
            this.client = client;
        }

        /** @throws IOException as HDFS's, once the use has ended, whoever else uses the client */
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

        /** Closes the streams that are open for writing, as HDFS does: what was written is kept. Tells the first failure. */
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

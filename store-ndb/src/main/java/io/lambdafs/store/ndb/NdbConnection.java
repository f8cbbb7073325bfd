package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.ndb.row.NdbSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * This process as a node of NDB, and sessions for its threads. It reconnects by itself to single data nodes that come
 * back; after all of them were gone, a new one is needed. Thread-safe. After it is closed, it gives out no more
 * sessions, and ends with the last one in use.
 */
final class NdbConnection implements AutoCloseable {
    private static final int CONNECT_RETRIES = 4;
    private static final int CONNECT_PAUSE_SECONDS = 1;
    private static final int READY_SECONDS = 20;
    private static final String LIBRARY = "libndbclient.so";

    private final Ndb_cluster_connection connection;
    private final Deque<NdbSession> idle = new ArrayDeque<>();
    private int used;
    private boolean closed;

    private NdbConnection(Ndb_cluster_connection connection) {
        this.connection = connection;
    }

    static NdbConnection open(String connect) throws DatabaseLostException {
        loadLibrary();
        Ndb_cluster_connection connection = Ndb_cluster_connection.create(connect);
        connection.set_name("lambdafs-store");
        if (connection.connect(CONNECT_RETRIES, CONNECT_PAUSE_SECONDS, 0) != 0) {
            String why = connection.get_latest_error_msg();
            Ndb_cluster_connection.delete(connection);
            throw lost("cannot reach NDB's management server at " + connect + " (" + why
                    + "): check the address, and that ndb_mgmd runs and has a free [api] node");
        }
        if (connection.wait_until_ready(READY_SECONDS, 0) < 0) {
            Ndb_cluster_connection.delete(connection);
            throw lost("no data node of the NDB at " + connect + " is ready after " + READY_SECONDS
                    + " s: check that ndbmtd runs");
        }
        return new NdbConnection(connection);
    }

    private static void loadLibrary() {
        String folder = System.getenv("NDB_LIBRARY_PATH");
        try {
            if (folder != null && Files.exists(Path.of(folder, LIBRARY))) {
                System.load(Path.of(folder, LIBRARY).toAbsolutePath().toString());
            } else {
                System.loadLibrary("ndbclient");
            }
        } catch (UnsatisfiedLinkError e) {
            throw FsException.unavailable(
                    "NDB's client library cannot be loaded (" + e.getMessage()
                            + "): set NDB_LIBRARY_PATH to the folder that has " + LIBRARY,
                    e);
        }
    }

    private static DatabaseLostException lost(String why) {
        return new DatabaseLostException(FsException.unavailable(why));
    }

    /** Returns an unused session, or a new one; {@link #giveBack} or {@link #drop} ends its use. */
    synchronized NdbSession session() throws DatabaseLostException {
        if (closed) {
            throw lost("the connection to NDB is lost, and made anew");
        }
        NdbSession session = idle.poll();
        if (session == null) {
            session = new NdbSession(connection);
        }
        used++;
        return session;
    }

    /** Takes back a session that has not failed. */
    synchronized void giveBack(NdbSession session) {
        idle.push(session);
        release();
    }

    /** Ends a session that has failed. */
    synchronized void drop(NdbSession session) {
        session.close();
        release();
    }

    private void release() {
        used--;
        if (closed) {
            endIfUnused();
        }
    }

    private void endIfUnused() {
        idle.forEach(NdbSession::close);
        idle.clear();
        if (used == 0) {
            Ndb_cluster_connection.delete(connection);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            endIfUnused();
        }
    }
}

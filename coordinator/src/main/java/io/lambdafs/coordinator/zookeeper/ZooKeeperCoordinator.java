package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.curator.RetryPolicy;
import org.apache.curator.RetrySleeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Coordinator} on ZooKeeper (see {@link Nodes} for its data). Does not retry; a call fails with {@code
 * UNAVAILABLE} at most half a session timeout after the connection was lost. A lost connection alone changes nothing:
 * the lease runs out by itself. Thread-safe. Calls complete on ZooKeeper's event thread, which must not be blocked.
 *
 * <p>Close it only after the instance's session has left or closed: closing ends the ZooKeeper session at once, which
 * others take for the end of the lease.
 */
public final class ZooKeeperCoordinator implements Coordinator {
    private static final Logger log = LoggerFactory.getLogger(ZooKeeperCoordinator.class);

    private final CuratorFramework client;
    private final Nodes nodes;
    private final Folders folders;
    private final List<ACL> acl;
    private final Membership membership;
    private final MembershipWatch watch;
    private final ZooKeeperMailboxes mailboxes;
    private final long shortestSessionMillis;
    private final Map<Long, Registration> registrations = new ConcurrentHashMap<>();

    /** Starts connecting in the background; calls wait for the connection within their limit. */
    public ZooKeeperCoordinator(ZooKeeperSettings settings, Scheduler scheduler) {
        Times times = settings.times();
        String password = settings.password();
        shortestSessionMillis = times.lease().plus(times.drift()).toMillis();
        nodes = Nodes.of(settings.fileSystem());
        acl = password == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
        ClientSettings clientSettings = new ClientSettings(settings.proved());
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.connection())
                .sessionTimeoutMs((int) times.session().toMillis())
                .connectionTimeoutMs((int) (times.session().toMillis() / 2))
                .ensembleTracker(false)
                .zkClientConfig(clientSettings)
                .retryPolicy(new NoRetries());
        if (password != null) {
            builder.authorization("digest", ("lambdafs:" + password).getBytes(StandardCharsets.UTF_8));
        }
        client = builder.build();
        folders = new Folders(client, nodes, acl, clientSettings::refusal);
        membership = new Membership(nodes);
        watch = new MembershipWatch(
                watcher -> folders.ensure().thenCompose(made -> membership.read(session(), watcher)), scheduler);
        mailboxes = new ZooKeeperMailboxes(client, nodes, acl, scheduler);
        client.getConnectionStateListenable().addListener((connected, state) -> connection(state));
        client.start();
        // Known by the time an instance joins.
        folders.ensure();
    }

    private void connection(ConnectionState state) {
        log.info("Connection to ZooKeeper: {}", state);
        if (state.isConnected()) {
            // Watches may have been lost with the connection or the session.
            if (watch.isFollowed()) {
                watch.refresh();
            }
            mailboxes.refresh();
        }
    }

    @Override
    public void watch(Consumer<View> listener) {
        watch.follow(listener);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Both are pipelined: ZooKeeper executes a session's calls in order.
     */
    @Override
    public CompletionStage<View> register(Member self) {
        return folders.ensure().thenCompose(made -> {
            ZooKeeper session = session();
            Registration registration = new Registration(session, nodes);
            registrations.put(self.epoch(), registration);
            CompletionStage<@Nullable Void> created = registration.create(self, acl);
            membership.learn(self);
            CompletionStage<View> listed = membership.read(session, null);
            return created.thenCompose(done -> listed);
        });
    }

    private ZooKeeper session() {
        ZooKeeper session;
        try {
            session = client.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw Answers.notStarted(e);
        }
        int granted = session.getSessionTimeout();
        if (granted > 0 && granted <= shortestSessionMillis) {
            throw FsException.invalidArgument(
                    "ZooKeeper grants sessions of only " + granted + " ms, which must be more than lease + drift ("
                            + shortestSessionMillis + " ms): raise the server's maxSessionTimeout");
        }
        return session;
    }

    /** Returns the server's id of this client's session. */
    long sessionId() {
        return session().getSessionId();
    }

    @Override
    public CompletionStage<View> members() {
        return folders.ensure().thenCompose(made -> membership.read(session(), null));
    }

    @Override
    public CompletionStage<Void> renew(long epoch) {
        Registration registration = registrations.get(epoch);
        return registration == null
                ? CompletableFuture.failedFuture(Registration.refused(epoch))
                : registration.renew(epoch);
    }

    @Override
    public CompletionStage<Void> refuseRenewals(long epoch) {
        return delete(nodes.lease(epoch));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Presence is removed last, because a listed member without it would look absent.
     */
    @Override
    public CompletionStage<Void> forget(long epoch) {
        registrations.remove(epoch);
        return delete(nodes.lease(epoch))
                .thenCompose(refused -> new Removal(client, nodes.member(epoch)).run())
                .thenCompose(gone -> delete(nodes.presence(epoch)));
    }

    private CompletionStage<@Nullable Void> delete(String path) {
        return Answers.of(callback -> client.delete().inBackground(callback).forPath(path), Code.NONODE)
                .thenAccept(deleted -> {});
    }

    @Override
    public Mailboxes mailboxes() {
        return mailboxes;
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }

    /** Disables Curator's retries: the session decides what to retry, and when. */
    private static final class NoRetries implements RetryPolicy {
        @Override
        public boolean allowRetry(int retryCount, long elapsedTimeMs, RetrySleeper sleeper) {
            return false;
        }
    }
}

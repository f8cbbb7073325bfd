package io.lambdafs.client.transport;

import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.TestInstance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of one process share a connection, and each call goes out for the user, and the groups, of its own client. */
class IdentitiesTest {
    private static final List<Principal> WHO = List.of(
            new Principal("alice", List.of("staff")),
            new Principal("alice", List.of("staff", "dev")),
            new Principal("alice", List.of()),
            new Principal("alice", List.of(Principal.SUPERGROUP)),
            new Principal("bob", List.of("staff")));

    private final ClientFixture fixture = new ClientFixture();
    private final List<LambdaFs> clients = new ArrayList<>();
    private final TestInstance instance = fixture.instance(0, 1).answers(ClientFixture.serving());

    @AfterEach
    void close() {
        fixture.close();
    }

    private void open() {
        ClientFixture.OwnProcess process = fixture.process();
        for (Principal each : WHO) {
            clients.add(fixture.open(
                    fixture.config().stragglersEnabled(false).user(each.user()).groups(each.groups()),
                    process.runtime()));
        }
        fixture.starts(instance);
        get(clients.get(0).stat(path(0)));
        await().until(() ->
                clients.stream().allMatch(each -> each.metrics().snapshot().connections() == 1));
    }

    private static FsPath path(int client) {
        return FsPath.of("/of/" + client);
    }

    private CompletionStage<?> ask(int client) {
        return clients.get(client).stat(path(client));
    }

    /** Whose call each request was, and for whom it came. */
    private void assertOwnIdentities(int requests) {
        List<OperationRequest> asked = instance.requests();
        List<Principal> came = instance.principals();
        assertThat(asked).hasSize(requests);
        assertThat(came).hasSize(requests);
        for (int i = 0; i < requests; i++) {
            int client = Integer.parseInt(asked.get(i).operation().path().name());
            assertThat(came.get(i)).as("%s", asked.get(i)).isEqualTo(WHO.get(client));
        }
    }

    @Test
    void shouldAskForTheIdentityOfEachClientInTurn() {
        open();
        for (int i = 0; i < 20; i++) {
            get(ask(i * 3 % WHO.size()));
        }
        assertOwnIdentities(20);
        assertThat(fixture.gateway.calls()).hasSize(1);
    }

    /** The first calls of all are made while none is bound yet. */
    @Test
    void shouldKeepThemApartWhereTheirCallsAreUnderWayAtOnce() {
        open();
        List<CompletionStage<?>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(ask(i * 7 % 11 % WHO.size()));
        }
        all.forEach(ClientFixture::get);
        assertOwnIdentities(500);
    }

    /** An instance that knows a handle no longer is asked for another one, of that client. */
    @Test
    void shouldBindEachAnewForItselfAlone() {
        open();
        for (int i = 0; i < WHO.size(); i++) {
            get(ask(i));
        }
        assertOwnIdentities(WHO.size());
        for (int i = 0; i < WHO.size(); i++) {
            instance.refusesNext(ErrorCode.UNAUTHENTICATED);
            get(ask(i));
            get(ask((i + 1) % WHO.size()));
        }
        List<Principal> came = instance.principals();
        for (int i = 0; i < WHO.size(); i++) {
            int at = WHO.size() + 2 * i;
            assertThat(came.get(at)).isEqualTo(WHO.get(i));
            assertThat(came.get(at + 1)).isEqualTo(WHO.get((i + 1) % WHO.size()));
        }
    }
}

package io.lambdafs.client;

import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client learns of another number of deployments from whoever it asks (PROTOCOL: G2). */
class ResizeTest {
    private static final Placement NOW = new Placement(2, 7);

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static FsPath pathOf(Placement placement, int deployment) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> FsPath.of("/d" + i + "/f"))
                .filter(path -> placement.owner(path) == deployment)
                .findFirst()
                .orElseThrow();
    }

    private Reply answer(OperationRequest request) {
        return request.generation() == NOW.generation() ? ClientFixture.serve(request) : Reply.Failure.resized(NOW);
    }

    @Test
    void shouldRouteByWhatAnInstanceTellsAndKeepTheRequestsId() {
        LambdaFs fs = fixture.open(fixture.config().deployments(4));
        LambdaFs neighbour = fixture.open(fixture.config().deployments(4).user("bob"));
        fixture.gateway.answersWith(this::answer);
        FsPath path = pathOf(NOW, 6);

        assertThat(get(fs.mkdirs(path, 0755))).isTrue();
        assertThat(get(neighbour.mkdirs(path, 0755))).isTrue();

        List<TestGateway.Called> calls = fixture.gateway.calls();
        assertThat(calls).extracting(call -> call.request().generation()).containsExactly(0, 2, 2);
        assertThat(calls.get(0).deployment()).isEqualTo(new Placement(4).owner(path));
        assertThat(calls.get(1).deployment()).isEqualTo(6);
        assertThat(calls.get(1).request().id()).isEqualTo(calls.get(0).request().id());
        assertThat(calls.get(2).deployment())
                .as("what one learns its neighbours know")
                .isEqualTo(6);
    }

    @Test
    void shouldAskDeploymentZeroWhereItsOwnHasGone() {
        LambdaFs fs = fixture.open(fixture.config().deployments(8));
        FsPath path = pathOf(new Placement(8), 7);
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                called.deployment() >= NOW.deployments()
                        ? HttpReply.json(404, "{\"error\":\"The requested resource does not exist.\"}")
                        : TestGateway.reply(called, this::answer)));

        assertThat(get(fs.mkdirs(path, 0755))).isTrue();

        assertThat(fixture.gateway.calls())
                .extracting(TestGateway.Called::deployment)
                .containsExactly(7, 0, NOW.owner(path));
    }

    @Test
    void shouldWakeNoDeploymentThatIsNoMore() {
        LambdaFs fs = fixture.open(fixture.config().deployments(8));
        fixture.gateway.answers(called -> CompletableFuture.completedFuture(
                called.deployment() >= NOW.deployments()
                        ? HttpReply.json(404, "{\"error\":\"The requested resource does not exist.\"}")
                        : TestGateway.reply(called, this::answer)));

        get(fs.warmUp());

        assertThat(fixture.gateway.calls())
                .filteredOn(called -> called.request() == null)
                .extracting(TestGateway.Called::deployment)
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void shouldGoWhereTheRoutingSays() {
        LambdaFs fs = fixture.open(
                fixture.config().deployments(4).routing((placement, operation) -> placement.deployments() - 1));
        fixture.gateway.answersWith(ClientFixture::serve);

        for (int owner = 0; owner < 4; owner++) {
            assertThat(get(fs.mkdirs(pathOf(new Placement(4), owner), 0755))).isTrue();
        }

        assertThat(fixture.gateway.calls())
                .extracting(TestGateway.Called::deployment)
                .containsExactly(3, 3, 3, 3);
    }

    @Test
    void shouldNotGoBackToAnEarlierGeneration() {
        LambdaFs fs = fixture.open(fixture.config().deployments(7).generation(2));
        int[] refusals = {3};
        fixture.gateway.answersWith(request ->
                refusals[0]-- > 0 ? Reply.Failure.resized(new Placement(1, 4)) : ClientFixture.serve(request));

        assertThat(get(fs.mkdirs(pathOf(NOW, 6), 0755))).isTrue();

        assertThat(fixture.gateway.calls()).hasSize(4).allSatisfy(call -> {
            assertThat(call.request().generation()).isEqualTo(2);
            assertThat(call.deployment()).isEqualTo(6);
        });
    }
}

package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.coordinator.Mailboxes;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One instance's access to the mailboxes over the simulated network. Not thread-safe. */
final class SimulatedMailboxes implements Mailboxes {
    private final SimulatedCoordinator coordinator;
    private final Mailboxes session;

    SimulatedMailboxes(SimulatedCoordinator coordinator, Mailboxes session) {
        this.coordinator = coordinator;
        this.session = session;
    }

    @Override
    public CompletionStage<Void> post(Letter letter, byte[] content) {
        return coordinator.call(() -> session.post(letter, content));
    }

    @Override
    public CompletionStage<byte[]> answer(Letter letter) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        coordinator.ask(() -> session.answer(letter)
                .whenComplete((content, failure) -> coordinator.tell(() -> answer.complete(content))));
        return answer;
    }

    @Override
    public void remove(Letter letter) {
        coordinator.ask(() -> session.remove(letter));
    }

    @Override
    public void follow(Set<Long> boxes, Reader reader) {
        coordinator.ask(() ->
                session.follow(boxes, (letter, content) -> coordinator.deliver(() -> reader.read(letter, content))));
    }

    @Override
    public CompletionStage<Void> reply(Letter letter, byte[] answer) {
        return coordinator.call(() -> session.reply(letter, answer));
    }
}

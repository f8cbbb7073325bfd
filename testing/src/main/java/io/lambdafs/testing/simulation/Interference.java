package io.lambdafs.testing.simulation;

import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.random.RandomGenerator;

/**
 * A raw operation on a file that another user has open, sent as its writer would send it. It must be refused (FILES:
 * F24). Immutable.
 */
record Interference(Operation<? extends Reply> operation) {
    static Interference any(Author.Work of, RandomGenerator random) {
        return new Interference(
                switch (random.nextInt(6)) {
                    case 0 ->
                        new BlockOperation.AddBlock(of.path(), of.file(), of.generation(), of.blocks(), of.last());
                    case 1 ->
                        new BlockOperation.CompleteBlocks(
                                of.path(), of.file(), of.generation(), of.blocks(), of.last());
                    case 2 -> new FileOperation.Complete(of.path(), of.file(), of.generation(), new byte[] {9});
                    case 3 -> new BlockOperation.RenewLease(of.path(), of.file(), of.generation());
                    case 4 -> new BlockOperation.Abandon(of.path(), of.file(), of.generation());
                    default -> new BlockOperation.RecoverLease(of.path(), of.file());
                });
    }

    /** Returns whether it had an effect: a recovery with nothing to do has none. */
    boolean succeeded(Reply reply) {
        return !reply.equals(Reply.Done.NO);
    }
}

package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.DirectoryStats;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.INode;
import io.lambdafs.model.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** complete: the content of a file that was created empty. */
final class CompleteWrite extends OpenFileWrite {
    private final FileOperation.Complete operation;

    CompleteWrite(OperationContext context, Call call, FileOperation.Complete operation) {
        super(context, call, operation.path(), operation.file());
        this.operation = operation;
    }

    @Override
    CompletionStage<Reply> run() {
        int limit = context.settings().smallFileLimit();
        int length = operation.content().length;
        return length > limit ? context.writes().refuse(call, CreateWrite.tooLong(path, length, limit)) : super.run();
    }

    @Override
    Outcome decideOpen(INode parent, INode file, LockedRows rows) {
        if (file.content() != INode.Content.NONE) {
            throw new FsException(ErrorCode.NOT_UNDER_CONSTRUCTION, "\"" + path + "\" has a content already");
        }
        long now = context.scheduler().currentTimeMillis();
        byte[] content = operation.content();
        boolean empty = content.length == 0;
        INode done = file.withContent(
                empty ? INode.Content.NONE : INode.Content.INLINE,
                empty ? 0 : INode.INLINE_CONTENT,
                content.length,
                now);
        List<Mutation> mutations = new ArrayList<>();
        mutations.add(new Mutation.Put(Rows.of(done)));
        SmallFiles.remove(file, mutations);
        SmallFiles.put(done, content, mutations);
        Reply reply = new Reply.Status(Attributes.of(done, DirectoryStats.EMPTY));
        return changed(reply, mutations, new Fill.Entry(path, done, content));
    }
}

/**
 * The NameNode as a serverless function (the paper's §3): here its configuration, the NameNode and the
 * wiring of an instance; below it the operations, their cache, the coherence protocol and the chores, none of which knows the NameNode; what every
 * platform's entry shares, and one thin entry per platform.
 */
@NullMarked
package io.lambdafs.functions;

import org.jspecify.annotations.NullMarked;

/**
 * The NameNode as a serverless function (the paper's §3): here its configuration; beside it the NameNode itself, its cache, its
 * coherence protocol, what every platform's entry shares, and one thin entry per platform.
 */
@NullMarked
package io.lambdafs.functions;

import org.jspecify.annotations.NullMarked;

// The built-in networks, each as the definition it is known by; batch 1.
#pragma once
#include "model/model.h"

namespace hone::model {

Model resnet18();      // images 224 x 224, 1000 classes, as torchvision has it
Model resnet50();      // the same; the stride of a block is that of its 3 x 3
Model resnext50();     // 32 groups, 4 wide
Model mobilenet_v2();  // width 1.0
Model vgg16();         // without batch normalisation
Model squeezenet();    // version 1.1
Model densenet121();
Model inception_v3();  // images 299 x 299, without the auxiliary classifier
Model r3d_18();        // 16 frames of 112 x 112, 400 classes
Model dcgan();         // the generator of the PyTorch example: 100 numbers to an image of 64 x 64
Model bert_base();     // uncased, sequence of 128, with its pooler
Model bert_tiny();     // 2 layers, 128 wide

}  // namespace hone::model
